import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");

const READ = 'export const planted = (): unknown => Bun.file("a");\n';

/** By file: code, and what this repository's own rules for the linter say about it. */
const PLANTED = {
  "packages/models/src/exit.ts": ["export const planted = (): never => process.exit(1);\n", "may end the process"],
  "packages/cli/src/main.ts": ["process.exit(1);\n", undefined],
  "packages/parser/src/read.ts": [READ, "The parser is pure"],
  "packages/parser/src/exit.ts": ["export const planted = (): never => process.exit();\n", "may end the process"],
  "packages/tools/src/read.ts": [READ, undefined],
  "packages/loop/src/clock.ts": ["export const planted = (): number => Date.now();\n", "global variable Date"],
  "packages/runtime/src/clock.ts": ["export const planted = (): number => Date.now();\n", undefined],
  "test/cases.ts": [
    'import fc from "fast-check";\n\nfc.assert(fc.property(fc.nat(), Number.isInteger));\n',
    "Pass randomCases()",
  ],
} as const;

test("the linter's own rules find what they forbid, and nothing else", async () => {
  using folder = temporaryDirectory();
  for (const path of ["biome.json", "scripts/lint"]) {
    cpSync(join(ROOT, path), join(folder.path, path), { recursive: true });
  }
  writeFiles(folder.path, Object.fromEntries(Object.entries(PLANTED).map(([file, [code]]) => [file, code])));
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const command = [process.execPath, biome, "check", "--vcs-enabled=false", "--reporter=json", "packages", "test"];
  const { stdout } = Bun.spawnSync(command, { cwd: folder.path });
  const { diagnostics } = JSON.parse(stdout.toString());
  const found = diagnostics.map((one: { location: { path: string }; message: string }) => [
    one.location.path,
    one.message,
  ]);
  const expected = Object.entries(PLANTED).flatMap(([file, [, message]]) =>
    message === undefined ? [] : [[file, expect.stringContaining(message)]],
  );
  expect(found.toSorted()).toStrictEqual(expected.toSorted());
});
