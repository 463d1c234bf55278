import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("a failure of the prose's code is reported at its position, as no fault of the program", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "agent.mdx": `${MINIMAL_AGENT}\n{nowhere()}\n\nexport const nowhere = () => { throw new Error("lost"); };\n`,
  });
  const result = await runCommandLine(["agent", "--trust", "--model", "offline", "--prompt", "hi"], {
    home: home.path,
  });
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr).toMatch(/^mdx-ai: lost \(agent\.mdx:9:\d+[^\n]*\)$/m);
});

describe.skipIf(requireProgram("bwrap"))("a failure is one line on standard error and its exit code", () => {
  test.each([
    { title: "an unknown option", args: ["--modle"], exitCode: 2, says: "did you mean `--model`?" },
    { title: "an untrusted directory", args: ["agent", ".", "--prompt", "hi"], exitCode: 3, says: "--trust" },
  ])("$title ends the process with exit code $exitCode", async ({ args, exitCode, says }) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const result = await runCommandLine(args, { home: home.path });
    expect(result).toEqual({ exitCode, stdout: "", stderr: expect.stringContaining(says) });
    expect(result.stderr.trimEnd().split("\n").at(-1)).toStartWith("mdx-ai: ");
  });

  test("of the model exits with 1 and prints no answer", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [
      { text: "half an", error: { message: "refused", status: 400, after: 1 } },
    ]);
    const result = await runCommandLine(["agent", "--trust", "--prompt", "hi", "--model", model], { home: home.path });
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toMatch(/^mdx-ai: .*refused.*\n$/);
  });

  test("by the limit of turns exits with 4 and says how to raise it", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "a.txt": "a" });
    const calls = [{ id: "c1", name: "read_file", arguments: { path: "a.txt" } }];
    const model = scriptReference(home.path, [
      { calls },
      { calls: [{ id: "c2", name: "read_file", arguments: { path: "a.txt" } }] },
    ]);
    const args = ["agent", "--trust", "--prompt", "hi", "--model", model, "--max-turns", "2"];
    const result = await runCommandLine(args, { home: home.path });
    expect(result).toMatchObject({ exitCode: 4, stdout: "" });
    expect(result.stderr).toContain("mdx-ai: stopped at the limit of 2 turns; allow more with --max-turns N");
  });

  test("by the output limit exits with 4 and prints the partial answer", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [{ text: "a long stor", stopReason: "length" }]);
    const result = await runCommandLine(["agent", "--trust", "--prompt", "hi", "--model", model], { home: home.path });
    expect(result).toMatchObject({ exitCode: 4, stdout: "a long stor\n" });
    expect(result.stderr).toContain("max_tokens");
  });

  test.each([
    // The executable says it in the words of Bun.
    [
      "the current folder was removed",
      'mkdir gone; cd gone; rmdir ../gone; "$@"',
      /current folder|current working dir/,
    ],
    ["no space is left for the output", '"$@" >/dev/full', /^mdx-ai: .*no space left on device/],
  ])("tells that %s", async (_name, script, message) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const child = Bun.spawn(["sh", "-c", script, "sh", ...cliCommand(["inspect", join(home.path, "agent")])], {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stderr] = await Promise.all([child.stderr.text(), child.exited]);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(child.exitCode).toBeOneOf([1, 2]);
  });

  test("of a module, which it did not handle, is one line, too, and the prompt goes on", async () => {
    using home = temporaryDirectory();
    const module = `export default {
      describe: () => ({ name: "broken", description: "Fails in the air" }),
      initialize: async () => {},
      tools: () => [],
      systemPrompt: () => "",
      start: async () => { Promise.reject(new Error("nobody waits")); },
      stop: () => {},
    };`;
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "modules/broken.ts": module });
    const model = scriptReference(home.path, [{ text: "late", delay: 500 }]);
    const args = ["agent", "--trust", "--prompt", "hi", "--model", model];
    const result = await runCli(args, { home: home.path });
    expect(result).toEqual({
      exitCode: 0,
      stdout: "late\n",
      stderr: "mdx-ai: warning: modules/broken.ts: nobody waits\n",
    });
  });

  test("shows a stack trace with --debug alone", async () => {
    using home = temporaryDirectory();
    const result = await runCommandLine(["agent", "nowhere", "--session", "..", "--prompt", "x", "--debug"], {
      home: home.path,
    });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("    at ");
  });

  test("is reported in one line although names hold newlines and escape sequences", async () => {
    using home = temporaryDirectory();
    const result = await runCommandLine(["a\nb\u001b[31mc\u009b2J"], { home: home.path });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(/^mdx-ai: [^\p{Cc}]*\n$/u);
  });
});

test("help ends the process with exit code 0", async () => {
  using home = temporaryDirectory();
  const result = await runCommandLine(["--help"], { home: home.path });
  expect(result).toEqual({ exitCode: 0, stdout: expect.stringContaining("mdx-ai "), stderr: "" });
});
