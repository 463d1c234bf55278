import { circles } from "./circles.ts";
import { type Import, importsOf } from "./imports-of.ts";
import { roomImports } from "./rooms.ts";
import { RULES } from "./rules.ts";

export interface ImportCheck {
  readonly files: number;
  readonly imports: number;
  /** One line each: the location, the rule, and the problem. */
  readonly complaints: readonly string[];
}

/** Checks the imports of all packages below `root` (absolute). */
export function checkImports(root: string): ImportCheck {
  const files = [...new Bun.Glob("packages/*/src/**/*.{ts,tsx}").scanSync(root)].sort();
  const imports = files.flatMap((file) => importsOf(root, file));
  const complaints = [...brokenRules(imports), ...fileCircles(imports), ...roomCircles(imports)];
  return { files: files.length, imports: imports.length, complaints };
}

const brokenRules = (imports: readonly Import[]): readonly string[] =>
  RULES.flatMap((rule) =>
    imports
      .filter((one) => rule.forbids(one))
      .map(({ from, line, to }) => `${from}:${line} ${rule.name}: imports ${to}, but ${rule.because}`),
  );

const fileCircles = (imports: readonly Import[]): readonly string[] =>
  circles(imports).map((circle) => {
    const path = circle.map(({ from }) => from);
    return `${path[0]} no-circles: ${[...path, path[0]].join(" -> ")}`;
  });

const roomCircles = (imports: readonly Import[]): readonly string[] =>
  circles(roomImports(imports)).map((circle) => {
    const arrows = circle.map(({ to, at }) => `-> ${to} (${at})`);
    return `${circle[0]?.from} no-room-circles: ${[circle[0]?.from, ...arrows].join(" ")}`;
  });
