import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { parseCompilerOutput, runCompiler } from "./compiler.ts";

/** Runs a script in the place of the compiler. */
async function run(script: string, { signal = new AbortController().signal, deadline = 30_000 } = {}) {
  using home = temporaryDirectory();
  const compiler = join(writeFiles(home.path, { tsc: `#!/bin/sh\n${script}\n` }), "tsc");
  chmodSync(compiler, 0o755);
  return await runCompiler({ compiler, project: home.path, signal, deadline });
}

test("messages, their details, files and messages without a position are distinguished", () => {
  const output = [
    "a (1,2)/t.ts(3,4): error TS2322: Type 'a(1,2): error TS1: x' is wrong.",
    "  Types of property 'a' are incompatible.",
    `    Type 'import("/home/a").b' is not 'c'.`,
    "../m.ts(1,1): error TS1005: ';' expected.",
    "error TS5023: Unknown compiler option 'x'.",
    "/home/a b/t.ts",
    "",
  ].join("\n");
  expect(parseCompilerOutput(output)).toStrictEqual({
    messages: [
      {
        file: "a (1,2)/t.ts",
        line: 3,
        column: 4,
        code: 2322,
        text: "Type 'a(1,2): error TS1: x' is wrong",
        details: ["Types of property 'a' are incompatible.", "Type 'b' is not 'c'."],
      },
      { file: "../m.ts", line: 1, column: 1, code: 1005, text: "';' expected", details: [] },
    ],
    complaints: ["error TS5023: Unknown compiler option 'x'."],
    files: ["/home/a b/t.ts"],
  });
});

describe("a compiler that gives no answer is an error that says why:", () => {
  test.each([
    ["it takes too long", "exec sleep 60", "took too long"],
    ["it crashes", "echo 'panic: gone' >&2; exit 2", "panic: gone"],
    ["it refuses its options", 'echo "error TS5023: Unknown option."; exit 1', "Unknown option"],
    ["it never stops talking", "exec yes", "printed too much"],
  ])("%s", async (_name, script, said) => {
    const deadline = script === "exec sleep 60" ? 100 : 30_000;
    await expect(run(script, { deadline })).rejects.toThrow(said);
  });

  test("it cannot be started", async () => {
    const { signal } = new AbortController();
    await expect(runCompiler({ compiler: "/nowhere/tsc", project: "/", signal })).rejects.toThrow(
      "cannot start TypeScript",
    );
  });
});

test("an interruption ends the compiler at once", async () => {
  const controller = new AbortController();
  const running = run("exec sleep 60", { signal: controller.signal });
  controller.abort();
  await expect(running).rejects.toThrow("interrupted");
});

test("the compiler sees no variables of the environment", async () => {
  const { files } = await run("echo /$HOME$USER");
  expect(files).toStrictEqual(["/"]);
});
