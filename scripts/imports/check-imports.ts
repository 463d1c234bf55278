import { existsSync } from "node:fs";
import { join } from "node:path";
import { circles } from "./circles.ts";
import { entriesOf } from "./entries.ts";
import { type Import, importsOf } from "./imports-of.ts";
import { roomImports } from "./rooms.ts";
import { RULES, type Rule, testRules } from "./rules.ts";

export interface ImportCheck {
  readonly files: number;
  readonly imports: number;
  /** One line each: the location, the rule, and the problem. */
  readonly complaints: readonly string[];
}

/** Checks the imports of all packages below `root` (absolute). */
export function checkImports(root: string): ImportCheck {
  const files = [...new Bun.Glob("packages/*/src/**/*.{ts,tsx}").scanSync(root)].sort();
  const sources = files.filter((file) => !isTest(file)).flatMap((file) => importsOf(root, file));
  const tests = [...files.filter(isTest), ...testsIn(root)].flatMap((file) => importsOf(root, file));
  const complaints = [
    ...brokenRules(RULES, sources),
    ...fileCircles(sources),
    ...roomCircles(sources),
    ...brokenRules(testRules(entriesOf(root)), tests),
  ];
  return { files: files.length, imports: sources.length + tests.length, complaints };
}

const isTest = (file: string): boolean => file.endsWith(".test.ts");

const testsIn = (root: string): readonly string[] =>
  existsSync(join(root, "test")) ? [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].sort() : [];

const brokenRules = (rules: readonly Rule[], imports: readonly Import[]): readonly string[] =>
  rules.flatMap((rule) =>
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
