import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const RUNNER = join(import.meta.dir, "../../scripts/test.ts");

const file = (...tests: readonly string[]): string => `import { expect, test } from "bun:test";\n${tests.join("\n")}\n`;

const PASSING = file('test("one", () => {});', 'test("two", () => {});');
const FAILING = file('test("bad", () => expect(1).toBe(2));');
const SKIPPING = file('test("good", () => {});', 'test.skip("left out", () => {});', 'test.todo("to do");');

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly underCi?: boolean;
  readonly last: string;
  readonly exitCode: number;
}

const CASES: readonly Case[] = [
  { name: "passing tests", files: { "a.test.ts": PASSING }, last: "2 passed, 0 failed", exitCode: 0 },
  {
    name: "a failing test",
    files: { "a.test.ts": PASSING, "b.test.ts": FAILING },
    last: "2 passed, 1 failed",
    exitCode: 1,
  },
  { name: "skipped tests", files: { "a.test.ts": SKIPPING }, last: "1 passed, 0 failed, 2 skipped", exitCode: 0 },
  {
    name: "skipped tests under CI, as failed",
    files: { "a.test.ts": SKIPPING },
    underCi: true,
    last: "1 passed, 2 failed",
    exitCode: 1,
  },
  {
    name: "a file that cannot be loaded",
    files: { "a.test.ts": PASSING, "b.test.ts": 'import "./gone.ts";' },
    last: "2 passed, 1 failed",
    exitCode: 1,
  },
  {
    name: "a file that ends the process",
    files: { "a.test.ts": PASSING, "b.test.ts": file('test("exits", () => process.exit(0));') },
    last: "2 passed, 1 failed",
    exitCode: 1,
  },
  {
    name: "only the files that are named",
    files: { "a.test.ts": PASSING, "b.test.ts": FAILING },
    args: ["a.test"],
    last: "2 passed, 0 failed",
    exitCode: 0,
  },
  {
    name: "only the tests that a flag names",
    files: { "a.test.ts": PASSING },
    args: ["./test", "-t", "two"],
    last: "1 passed, 0 failed, 1 skipped",
    exitCode: 0,
  },
  { name: "no tests, as failed", files: {}, last: "0 passed, 1 failed", exitCode: 1 },
];

describe("npm test counts", () => {
  test.each([...CASES])("$name", async ({ files, args = [], underCi = false, last, exitCode }) => {
    using folder = temporaryDirectory();
    for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, "test", name), text);
    const child = Bun.spawn([process.execPath, RUNNER, ...args], {
      cwd: folder.path,
      env: { PATH: process.env["PATH"], HOME: folder.path, ...(underCi ? { CI: "true" } : {}) },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const output = await child.stdout.text();
    expect({ last: output.trimEnd().split("\n").at(-1), exitCode: await child.exited }).toEqual({ last, exitCode });
  });
});
