import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const EXAMPLE = join(import.meta.dir, "../../examples/aiagent");

/** A home with a copy of the example in `agent/` and a folder `project/` to work in. */
function home(): TemporaryDirectory & { readonly agent: string; readonly project: string } {
  const folder = temporaryDirectory();
  const [agent, project] = [join(folder.path, "agent"), join(folder.path, "project")];
  cpSync(EXAMPLE, agent, { recursive: true });
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "alpha\n");
  return { ...folder, agent, project };
}

interface Call {
  readonly tool: string;
  readonly isError: boolean;
  readonly text: string;
}

/** Runs one prompt of a scripted model and returns the results of its tools. */
async function run({ path, agent, project }: ReturnType<typeof home>, replies: readonly Reply[], ...flags: string[]) {
  const model = scriptReference(path, replies);
  const args = ["agent", agent, "--trust", "--prompt", "Go", "--json", "--model", model, ...flags];
  const { stdout, stderr, exitCode } = await runCommandLine(args, { home: path, cwd: project });
  const events = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const calls = events
    .filter(({ type }) => type === "tool_execution_end")
    // A call that is refused ends before those that run.
    .toSorted((one, other) => (one.toolCallId < other.toolCallId ? -1 : 1))
    .map(({ toolName, isError, result }): Call => ({ tool: toolName, isError, text: result.content[0]?.text ?? "" }));
  return { events, calls, stderr, exitCode };
}

const call = (name: string, args: Readonly<Record<string, string | number>>, id: string = crypto.randomUUID()) => ({
  id,
  name,
  arguments: args,
});

test("the aiagent example has the settings of that program, and no mistake", async () => {
  const { definition, diagnostics } = await readAgentDirectory(EXAMPLE);
  expect(diagnostics).toStrictEqual([]);
  const { model, workspace, builtins, stream, retries, limits } = definition.settings;
  expect({ model, workspace, builtins, stream, retries, limits }).toStrictEqual({
    model: "anthropic",
    workspace: "cwd",
    builtins: ["fs.list", "fs.read", "fs.write", "shell.exec"],
    stream: false,
    retries: 2,
    limits: { toolCalls: 6 },
  });
});

test("the aiagent example works in the current folder, with six tool calls for an input and no more", async () => {
  using place = home();
  let count = 0;
  const next = (name: string, args: Readonly<Record<string, string>>) => call(name, args, `call_${++count}`);
  const list = () => next("fs_list", { path: "." });
  const replies: readonly Reply[] = [
    { calls: [list(), next("fs_read", { path: "a.txt" }), list(), list()] },
    { calls: [list(), list(), next("fs_write", { path: "b.txt", content: "b" }), list()] },
    { text: "Done." },
  ];
  const { calls, events, exitCode } = await run(place, replies);
  expect(calls.map(({ isError }) => isError)).toStrictEqual([false, false, false, false, false, false, true, true]);
  expect(calls.slice(0, 2).map(({ text }) => text)).toStrictEqual(['["a.txt"]', "alpha\n"]);
  expect(calls.slice(6).map(({ text }) => text)).toStrictEqual([
    expect.stringContaining("6"),
    expect.stringContaining("6"),
  ]);
  expect(existsSync(join(place.project, "b.txt"))).toBe(false);
  expect([exitCode, events.at(-1)?.type]).toStrictEqual([0, "agent_end"]);
});

describe("the model of the aiagent example receives", () => {
  test("the prose of agent.mdx, and below it AGENT.md up to 64 KB, with a note of what is cut", async () => {
    using place = home();
    writeFileSync(join(place.agent, "AGENT.md"), `* remembered\n${"x".repeat(70_000)}`);
    const warnings: string[] = [];
    const agent = await openScriptAgent(place.agent, [], { onWarning: (line) => warnings.push(line) });
    const system = await agent.systemPrompt();
    await agent.close();
    expect(system.indexOf("You are a small agent.")).toBeLessThan(system.indexOf("## AGENT.md\n\n* remembered"));
    expect(system).toContain("(AGENT.md continues: the last 4477 of its 70013 bytes are left out.)");
    expect(warnings).toContain("AGENT.md is longer than 64 KiB: the model does not receive the rest");
  });

  test("what /memory added, exactly", async () => {
    using place = home();
    const agent = await openScriptAgent(place.agent, []);
    expect((await agent.memory.addNote("tests  run with `make`")).line).toBe("* tests  run with `make`");
    expect(readFileSync(join(place.agent, "AGENT.md"), "utf8")).toEndWith("\n* tests  run with `make`\n");
    expect(await agent.systemPrompt()).toContain("\n* tests  run with `make`\n");
    await agent.close();
  });
});

describe("how permissive the aiagent example is, is the user's choice", () => {
  const outside = (place: ReturnType<typeof home>): Reply => ({
    calls: [call("shell_exec", { cmd: `echo free > ${place.path}/outside.txt; echo $?` }, "call_1")],
  });

  test("--allow-all --sandbox off: no jail", async () => {
    using place = home();
    const { calls } = await run(place, [outside(place), { text: "Done." }], "--allow-all", "--sandbox", "off");
    expect(calls.map(({ isError }) => isError)).toStrictEqual([false]);
    expect(readFileSync(join(place.path, "outside.txt"), "utf8")).toBe("free\n");
  });

  test("without flags and without a sandbox a command is refused, since there is no one to ask", async () => {
    using place = home();
    const { calls } = await run(place, [outside(place), { text: "Done." }], "--sandbox", "off");
    expect(calls.map(({ isError, text }) => [isError, text.slice(0, 48)])).toStrictEqual([
      [true, "not run: runs a shell command outside a sandbox,"],
    ]);
    expect(existsSync(join(place.path, "outside.txt"))).toBe(false);
  });

  test.skipIf(requireProgram("bwrap"))("without flags a command runs in the sandbox", async () => {
    using place = home();
    const inside: Reply = { calls: [call("shell_exec", { cmd: "cat a.txt; echo ok > made.txt" }, "call_2")] };
    const { calls } = await run(place, [outside(place), inside, { text: "Done." }], "--sandbox", "required");
    expect(JSON.parse(calls[0]?.text ?? "")["ok"]).toBe(true);
    expect(existsSync(join(place.path, "outside.txt"))).toBe(false);
    expect(JSON.parse(calls[1]?.text ?? "")).toMatchObject({ ok: true, exit_code: 0, stdout: "alpha\n" });
    expect(readFileSync(join(place.project, "made.txt"), "utf8")).toBe("ok\n");
  });
});

test("without a key the aiagent example ends with a clear line", async () => {
  using place = home();
  const args = ["agent", place.agent, "--trust", "--exec", "Hello"];
  const { stderr, exitCode } = await runCommandLine(args, { home: place.path, cwd: place.project });
  expect([exitCode, stderr]).toStrictEqual([1, expect.stringContaining("ANTHROPIC_API_KEY")]);
});

// The time of a busy machine says nothing: what counts is what the program itself needs.
test("a whole run of the aiagent example costs less than three seconds of processor time", async () => {
  using place = home();
  const model = scriptReference(place.path, [{ text: "Hello." }]);
  const command = cliCommand(["agent", place.agent, "--trust", "--exec", "Hello", "--model", model]);
  const child = Bun.spawn(command, {
    cwd: place.project,
    env: cliEnvironment({ home: place.path }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const answer = await child.stdout.text();
  expect([await child.exited, answer]).toStrictEqual([0, "Hello.\n"]);
  expect(Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN)).toBeLessThan(3_000_000);
});
