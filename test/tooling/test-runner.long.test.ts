import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TESTS_OF_BOTH_USERS } from "../../scripts/testing/ordinary-user.ts";
import { writeFiles } from "../support/agent-files.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const RUNNER = join(ROOT, "scripts/test.ts");

const file = (...tests: readonly string[]): string => `import { expect, test } from "bun:test";\n${tests.join("\n")}\n`;

const PASSING = file('test("one", () => {});', 'test("two", () => {});');
const FAILING = file('test("bad", () => expect(1).toBe(2));');
const SKIPPING = file('test("good", () => {});', 'test.skip("left out", () => {});', 'test.todo("to do");');

const BY_USER = file(
  'test("is the superuser, or has a home and a folder for temporary files of its own", async () => {',
  "  const isOwn = async (path) => (await Bun.file(path).stat()).uid === process.getuid();",
  '  const { HOME = "", TMPDIR = "" } = process.env;',
  '  const owned = process.getuid() === 0 || ((await isOwn(HOME)) && (await isOwn(TMPDIR)) && (await isOwn(".")));',
  "  expect(owned).toBe(true);",
  "});",
);
const OF_SUPERUSER = file('test("is the superuser", () => expect(process.getuid()).toBe(0));');
const isSuperuser = process.platform === "linux" && process.getuid?.() === 0;

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly underCi?: boolean;
  /** The folder of programs; those of this machine if absent. */
  readonly programs?: string;
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
  {
    name: "no long tests",
    files: { "a.test.ts": PASSING, "b.long.test.ts": FAILING },
    last: "2 passed, 0 failed",
    exitCode: 0,
  },
  {
    name: "long tests with --all, and those beside sources",
    files: { "a.test.ts": PASSING, "b.long.test.ts": FAILING, "../packages/base/src/text/c.test.ts": PASSING },
    args: ["--all"],
    last: "4 passed, 1 failed",
    exitCode: 1,
  },
  {
    name: "long tests alone with --all --rest",
    files: { "a.test.ts": PASSING, "b.long.test.ts": FAILING },
    args: ["--all", "--rest"],
    last: "0 passed, 1 failed",
    exitCode: 1,
  },
  {
    name: "tests of the sandbox as an ordinary user, too, with --all",
    files: { "a.test.ts": PASSING, "sandbox/b.test.ts": BY_USER },
    args: ["--all"],
    last: isSuperuser ? "4 passed, 0 failed" : "3 passed, 0 failed",
    exitCode: 0,
  },
  {
    name: "what fails for an ordinary user alone",
    files: { "sandbox/a.test.ts": OF_SUPERUSER },
    args: ["--all"],
    last: isSuperuser ? "1 passed, 1 failed" : "0 passed, 1 failed",
    exitCode: 1,
  },
  {
    name: "tests of the sandbox as skipped if nothing can run as an ordinary user",
    files: { "sandbox/a.test.ts": PASSING },
    args: ["--all"],
    programs: "none",
    last: isSuperuser ? "2 passed, 0 failed, 1 skipped" : "2 passed, 0 failed",
    exitCode: 0,
  },
  { name: "no tests, as failed", files: {}, last: "0 passed, 1 failed", exitCode: 1 },
];

interface RunnerEnd {
  readonly output: string;
  readonly errors: string;
  readonly exitCode: number;
}

/** Runs the tests of a folder. */
async function runnerIn(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<RunnerEnd> {
  const child = Bun.spawn([process.execPath, RUNNER, ...args], {
    cwd: folder,
    // These tests start no program, so that none is built for them.
    env: { PATH: process.env["PATH"], HOME: folder, MDX_AI_EXECUTABLE: "none", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { output, errors, exitCode: await child.exited };
}

describe("npm test counts", () => {
  test.each([...CASES])("$name", async ({ files, args = [], underCi = false, programs, last, exitCode }) => {
    using folder = temporaryDirectory();
    for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, "test", name), text);
    const environment = { ...(programs === undefined ? {} : { PATH: programs }), ...(underCi ? { CI: "true" } : {}) };
    const { output, exitCode: received } = await runnerIn(folder.path, args, environment);
    expect({ last: output.trimEnd().split("\n").at(-1), exitCode: received }).toEqual({ last, exitCode });
  });

  test("with --changed the tests that use what changed since the last commit", async () => {
    using folder = temporaryDirectory();
    const using = (path: string): string =>
      `import { one } from "${path}";\n${file(`test("is one", () => expect(one).toBe(1));`)}`;
    const starting = 'export const PROGRAM = new URL("../../packages/cli/src/main.ts", import.meta.url);\n';
    writeFiles(folder.path, {
      "packages/base/src/one.ts": "export const one = 1;\n",
      "packages/cli/src/main.ts": 'import "./run.ts";\n',
      "packages/cli/src/run.ts": "export const run = 1;\n",
      "test/base/one.test.ts": using("../../packages/base/src/one.ts"),
      "test/base/two.long.test.ts": using("../../packages/base/src/one.ts"),
      "test/support/run-cli.ts": starting,
      "test/e2e/run.test.ts": `import { PROGRAM } from "../support/run-cli.ts";\n${file('test("starts it", () => expect(PROGRAM.href).toEndWith("main.ts"));')}`,
      "test/other.test.ts": FAILING,
    });
    const git = (...words: readonly string[]): void => {
      const { success } = Bun.spawnSync(["git", "-c", "user.name=n", "-c", "user.email=e", ...words], {
        cwd: folder.path,
      });
      expect(success).toBe(true);
    };
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "First");
    const change = async (path: string, args: readonly string[] = []): Promise<string | undefined> => {
      const changed = join(folder.path, path);
      const text = existsSync(changed) ? await Bun.file(changed).text() : "";
      await Bun.write(changed, `${text}\n`);
      const { output } = await runnerIn(folder.path, ["--changed", ...args], {});
      await (text === "" ? rm(changed) : Bun.write(changed, text));
      return output.trimEnd().split("\n").at(-1);
    };
    expect(await change("packages/base/src/one.ts")).toBe("1 passed, 0 failed");
    expect(await change("packages/base/src/one.ts", ["--all"])).toBe("2 passed, 0 failed");
    expect(await change("packages/cli/src/run.ts")).toBe("1 passed, 0 failed");
    expect(await change("test/e2e/run.test.ts")).toBe("1 passed, 0 failed");
    expect(await change("packages/cli/src/unused.ts")).toBe("0 passed, 0 failed");
    expect(await change("package.json")).toBe("2 passed, 1 failed");
  });

  test("and shows only the failures of a full run, at its end again, so that nothing hides them", async () => {
    using folder = temporaryDirectory();
    await Bun.write(join(folder.path, "test/a.test.ts"), PASSING);
    await Bun.write(join(folder.path, "test/b.test.ts"), FAILING);
    const whole = await runnerIn(folder.path, [], {});
    expect(whole.errors).toContain("(fail) bad");
    expect(whole.errors).toContain("Expected: 2\nReceived: 1");
    expect(whole.output + whole.errors).not.toContain("one");
    const end = whole.output.slice(whole.output.indexOf("failed: "));
    expect(end).toStartWith("failed: test/b.test.ts:2 bad\n    expect(received).toBe(expected)\n    Expected: 2");
    expect(end).toEndWith("\n2 passed, 1 failed\n");
    const part = await runnerIn(folder.path, ["./test"], {});
    expect(part.errors).toContain("(pass) one");
  });

  test("and writes down, with --update-timings, how long each file of a full run took", async () => {
    using folder = temporaryDirectory();
    for (const name of ["a", "b"]) await Bun.write(join(folder.path, `test/${name}.test.ts`), PASSING);
    const run = async (...args: readonly string[]): Promise<string> =>
      (await runnerIn(folder.path, ["--all", ...args], {})).output;
    const timings = join(folder.path, "test/timings.json");
    await run();
    expect(existsSync(timings)).toBe(false);
    expect(await run("--update-timings")).toContain("4 passed, 0 failed");
    const { files } = await Bun.file(timings).json();
    expect(Object.keys(files)).toEqual(["test/a.test.ts", "test/b.test.ts"]);
    const stale =
      "\ntest/timings.json is stale (test files that are new or gone: 1); measure again: npm run test:all -- ";
    expect(await run()).not.toContain("stale");
    await rm(join(folder.path, "test/a.test.ts"));
    expect(await run()).toContain(stale);
    expect(await run("--update-timings")).not.toContain("stale");
    expect(await Bun.file(timings).text()).toMatch(
      /^\{\n {2}"version": 1,\n {2}"files": \{\n {4}"test\/b\.test\.ts": [1248]00\n {2}\}\n\}\n$/,
    );
  });

  test("tests of the sandbox for both users, which exist", () => {
    for (const folder of TESTS_OF_BOTH_USERS) expect(existsSync(join(ROOT, folder))).toBe(true);
  });
});
