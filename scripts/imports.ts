// `npm run imports`: which way imports run between packages and rooms, and that none runs in a circle.
import { join } from "node:path";
import { circles } from "./imports/circles.ts";
import { importsOf } from "./imports/imports-of.ts";
import { RULES } from "./imports/rules.ts";

const ROOT = join(import.meta.dir, "..");

const files = [...new Bun.Glob("packages/*/src/**/*.ts").scanSync(ROOT)].sort();
const imports = files.flatMap((file) => importsOf(ROOT, file));
const complaints = [
  ...RULES.flatMap((rule) =>
    imports
      .filter((one) => rule.forbids(one))
      .map(({ from, line, to }) => `${from}:${line} ${rule.name}: imports ${to}, but ${rule.because}`),
  ),
  ...circles(imports).map((circle) => `${circle[0]} no-circles: ${[...circle, circle[0]].join(" -> ")}`),
];

for (const complaint of complaints) console.error(complaint);
console.log(`${imports.length} imports of ${files.length} files, ${complaints.length} against the rules`);
process.exitCode = complaints.length === 0 && imports.length > 0 ? 0 : 1;
