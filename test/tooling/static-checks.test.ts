import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { copyRepository } from "../support/repository-copy.ts";

/** Each check reads the whole repository, which takes long on a busy machine. */
const CHECKS_TIMEOUT_MS = 300_000;

interface Violation {
  readonly check: string;
  readonly rule: string;
  /** Where it is planted; a new file, or one that exists and gets a line more. */
  readonly file: string;
  readonly code: string;
}

const imports = (rule: string, file: string, code: string): Violation => ({ check: "imports", rule, file, code });
const lint = (rule: string, file: string, code: string): Violation => ({ check: "lint", rule, file, code });

const VIOLATIONS: readonly Violation[] = [
  {
    check: "typecheck",
    rule: "TS9010",
    file: "packages/models/src/planted-declaration.ts",
    code: "export const planted = Math.max(1);",
  },
  {
    check: "typecheck",
    rule: "TS2322",
    file: "packages/models/src/planted.ts",
    code: "export const planted: number = '';",
  },
  {
    check: "typecheck",
    rule: "TS2322",
    file: "scripts/planted.mjs",
    code: "/** @type {number} */\nexport const planted = '';",
  },
  {
    check: "typecheck",
    rule: "TS2322",
    file: "examples/weather/modules/planted.ts",
    code: "export const planted: number = '';",
  },
  {
    check: "deadcode",
    rule: "Unused files",
    file: "packages/models/src/planted-file.ts",
    code: "export const planted = 1;",
  },
  {
    check: "deadcode",
    rule: "Unused exports",
    file: "packages/sessions/src/journal/journal.ts",
    code: "export const plantedExport = 1;",
  },
  lint("noExplicitAny", "packages/models/src/planted-any.ts", "export const planted: any = 1;"),
  lint("noNonNullAssertion", "packages/models/src/planted-assertion.ts", "export const planted = process.title!;"),
  lint("format", "packages/models/src/planted-format.ts", "export const planted   = 1"),
  lint("plugin", "packages/models/src/planted-exit.ts", "export const planted = () => process.exit(1);"),
  lint("plugin", "packages/parser/src/planted-read.ts", 'export const planted = (): unknown => Bun.file("a");'),
  lint("plugin", "packages/parser/src/definition-cache.ts", 'export const planted = (): unknown => Bun.file("a");'),
  lint("plugin", "packages/parser/src/planted-exit.ts", "export const planted = (): never => process.exit();"),
  lint(
    "plugin",
    "test/support/planted-cases.ts",
    'import fc from "fast-check";\n\nfc.assert(fc.property(fc.nat(), Number.isInteger));',
  ),
  lint("noRestrictedGlobals", "packages/loop/src/planted-clock.ts", "export const planted = Date.now();"),
  imports("packages-import-below", "packages/models/src/planted-up.ts", 'import "../../runtime/src/index.ts";'),
  imports("packages-import-below", "packages/models/src/planted-name.ts", 'import "@mdx-ai/runtime";'),
  imports(
    "packages-import-below",
    "packages/parser/src/planted-type.ts",
    'import type {} from "../../models/src/index.ts";',
  ),
  imports("packages-import-below", "packages/runtime/src/planted-cli.ts", 'export * from "../../cli/src/main.ts";'),
  imports(
    "packages-in-layers",
    "packages/planted-package/src/planted-new.ts",
    'import type {} from "../../models/src/index.ts";',
  ),
  imports(
    "no-room-circles",
    "packages/sessions/src/journal/planted-room.ts",
    'import type {} from "../session/session.ts";',
  ),
  imports("loop-knows-steps", "packages/loop/src/planted-disk.ts", 'import "node:fs";'),
  imports("loop-knows-steps", "packages/loop/src/planted-disk-promises.ts", 'import "fs/promises";'),
  imports("loop-knows-steps", "packages/loop/src/planted-bun.ts", 'import { file } from "bun";'),
  imports("parser-is-pure", "packages/parser/src/planted-disk.ts", 'const late = await import("node:fs/promises");'),
  imports("parser-is-pure", "packages/parser/src/planted-import-type.ts", 'export type A = import("node:fs").Stats;'),
  imports("parser-is-pure", "packages/parser/src/planted-cache.ts", 'import "node:fs";'),
  imports("base-is-pure", "packages/base/src/json/planted-disk.ts", 'import "node:fs";'),
  imports("disk-for-readers", "packages/parser/src/planted-files.ts", 'import "@mdx-ai/base/disk";'),
  imports("no-exit-import", "packages/models/src/planted-exit.ts", 'import { exit } from "node:process";'),
  imports("nothing-from-outside", "packages/models/src/planted-test.ts", 'import "../../../scripts/junit-report.ts";'),
  imports("no-circles", "packages/models/src/planted-circle.ts", 'import type {} from "./planted-circle-back.ts";'),
];

/** Other threads of the compiler would check once more what they have in common, while other tests need the cores. */
const CHECKS = [["typecheck", "--singleThreaded"], ["lint"], ["deadcode"], ["imports"]] as const;
interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

const outcomes = new Map<string, Outcome>();
let copy = "";

beforeAll(async () => {
  // No rule needs those, which hold most of the code to check.
  copy = await copyRepository("test", "bench");
  for (const { file, code } of VIOLATIONS) await plant(file, code);
  await plant("packages/models/src/planted-circle-back.ts", 'import type {} from "./planted-circle.ts";');
  for (const [check, ...flags] of CHECKS) outcomes.set(check, await runCheck(check, flags));
}, CHECKS_TIMEOUT_MS);

afterAll(async () => {
  await rm(copy, { recursive: true, force: true });
});

async function plant(file: string, code: string): Promise<void> {
  await mkdir(dirname(join(copy, file)), { recursive: true });
  await appendFile(join(copy, file), `${code}\n`);
}

/** The output goes to a file: a check loses what it writes into a pipe that is full because this process is busy. */
async function runCheck(check: string, flags: readonly string[]): Promise<Outcome> {
  const output = Bun.file(`${copy}-output`);
  const script = 'output=$1; shift; exec "$0" --bun run "$@" > "$output" 2>&1';
  const child = Bun.spawn(["sh", "-c", script, process.execPath, `${copy}-output`, check, ...flags], {
    cwd: copy,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const exitCode = await child.exited;
  const text = await output.text();
  await output.delete();
  return { exitCode, output: text };
}

test.each([...VIOLATIONS])("npm run $check fails on $rule in $file", ({ check, rule, file }) => {
  const { exitCode, output } = outcomes.get(check) ?? { exitCode: 0, output: "" };
  expect(exitCode).not.toBe(0);
  expect(complaints(check, output, file)).toContain(rule);
});

/** The lines that name the file; knip names the rule above its files instead of beside each. */
function complaints(check: string, output: string, file: string): string {
  const lines = output.split("\n");
  const section = (index: number): string => lines.slice(0, index).findLast((line) => line.startsWith("Unused")) ?? "";
  return lines
    .flatMap((line, index) => (line.includes(basename(file)) ? [check === "deadcode" ? section(index) : line] : []))
    .join("\n");
}
