import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply, toolReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { eventually } from "../support/eventually.ts";
import { noProcessesOf } from "../support/remaining-processes.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const NOTE = `const note = (text: string) => require("node:fs").appendFileSync(ctx.agentDir + "/notes", text + "\\n");`;

/** Notes that it began, then waits until its signal fires, which it notes, too. */
const LISTENING = `${NOTE}
note("begun");
await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
note("heard");
return "too late";`;

/** Notes that it began, then waits for a file. */
const WAITING = `${NOTE}
note("begun");
while (!require("node:fs").existsSync(ctx.agentDir + "/gate")) await Bun.sleep(20);
return "ran to its end";`;

const calling = (name: string): Reply => ({ calls: [{ id: "a", name, arguments: {} }] });

const agentArgs = (home: string, replies: readonly Reply[], ...args: readonly string[]): readonly string[] => [
  ...["agent", "agent", "--trust", "--model", scriptReference(home, replies)],
  ...args,
];

const notesOf = (home: string): string => {
  const path = join(home, "agent/notes");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** Starts a prompt, and sends a signal to its process once the tool has begun. */
async function interrupt(home: string, args: readonly string[], signal: NodeJS.Signals): Promise<CliResult> {
  const child = Bun.spawn(cliCommand(args), {
    cwd: home,
    env: cliEnvironment({ home }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  await eventually(() => expect(notesOf(home)).not.toBe(""));
  child.kill(signal);
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exitCode };
}

describe("the signal of an inline tool", () => {
  test("fires when the time of the call is over; the model receives that, and the prompt continues", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT + toolText("listen", LISTENING, ' timeout="5"') });
    const replies = [calling("listen"), { text: "Done." }];
    const { exitCode, stdout, stderr } = await runCommandLine(agentArgs(home.path, replies, "--prompt", "hi"), {
      home: home.path,
    });
    expect([exitCode, stdout, notesOf(home.path)]).toEqual([0, "Done.\n", "begun\nheard\n"]);
    expect(stderr).toContain("the tool was stopped: it timed out after 5 seconds");
  });

  test("fires at Ctrl+C, before the program ends", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT + toolText("listen", LISTENING) });
    const args = agentArgs(home.path, [calling("listen"), { text: "never" }], "--prompt", "hi");
    expect(await interrupt(home.path, args, "SIGINT")).toMatchObject({ exitCode: 130, stdout: "" });
    expect(notesOf(home.path)).toBe("begun\nheard\n");
  });
});

describe("a tool that", () => {
  const flooding = (descriptor: number, line: string): string =>
    `const part = Buffer.alloc(2 ** 18, ${line});
for (;;) try { require("node:fs").writeSync(${descriptor}, part); } catch {}`;

  test.each([
    ["spins", "for (;;);"],
    [
      "makes a text of a list with 4,294,967,295 holes",
      "for (;;) try { JSON.stringify(new Array(2 ** 32 - 1)); } catch {}",
    ],
    ["floods its standard output", flooding(1, '"\\n"')],
    ["floods its standard error", flooding(2, '"y\\n"')],
    ["floods the channel to its agent", flooding(3, '"1\\n"')],
  ])("%s does not keep its agent from ending by SIGTERM, and ends with it", async (_what, body) => {
    using home = temporaryDirectory();
    const tool = toolText("flood", `${NOTE}\nnote("begun");\n${body}`, ' timeout="300"');
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT + tool });
    const args = agentArgs(home.path, [calling("flood"), { text: "never" }], "--prompt", "hi");
    const child = Bun.spawn(cliCommand(args), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "ignore", "ignore"],
    });
    await eventually(() => expect(notesOf(home.path)).not.toBe(""));
    // By then the agent is in the middle of it.
    await Bun.sleep(1_000);
    child.kill("SIGTERM");
    try {
      await eventually(() => expect(child.exitCode).not.toBeNull());
    } finally {
      child.kill("SIGKILL");
    }
    expect(child.exitCode).toBe(143);
    await noProcessesOf(home.path);
  });
});

describe("a call of an inline tool that a kill has interrupted", () => {
  test.each([
    ["an idempotent one is", " idempotent", "begun\nbegun\n", "ran to its end"],
    ["of another the model is told that its outcome is unknown", "", "begun\n", "unknown"],
  ])("is made again where the tool is idempotent, and only there: %s", async (_what, attribute, notes, told) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT + toolText("wait", WAITING, attribute) });
    await interrupt(home.path, agentArgs(home.path, [calling("wait")], "--prompt", "hi"), "SIGKILL");
    writeFiles(home.path, { "agent/gate": "" });
    const resumed = await runCommandLine(agentArgs(home.path, [{ text: "Done." }], "--resume"), { home: home.path });
    expect([resumed.exitCode, notesOf(home.path)]).toEqual([0, notes]);
    const lines = readFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), "utf8").trimEnd().split("\n");
    const results = lines.map((line) => JSON.parse(line)).filter(({ result }) => result?.role === "toolResult");
    expect(results.map(({ result }) => result.content)).toEqual([
      [{ type: "text", text: expect.stringContaining(told) }],
    ]);
  });
});

test("parts of an inline tool's result are events before its end; its image and text reach the model, its details do not", async () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  const body = `ctx.update("half done");
await Bun.sleep(100);
return { content: [{ type: "text", text: "a picture" }, { type: "image", data: "${pixel}", mimeType: "image/png" }], details: { secretive: 1 } };`;
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT + toolText("draw", body) });
  using server = anthropicServer(toolReply({ id: "a", name: "draw", input: {} }), textReply("Done."));
  const args = ["agent", "agent", "--trust", "--model", "claude-test", "--prompt", "hi", "--json"];
  const { exitCode, stdout } = await runCommandLine(args, { home: home.path, environment: server.environment });
  expect(exitCode).toBe(0);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ofTool = events.filter(({ type }) => type.startsWith("tool_execution_"));
  expect(ofTool).toMatchObject([
    { type: "tool_execution_start" },
    { type: "tool_execution_update", partialResult: { content: [{ type: "text", text: "half done" }] } },
    { type: "tool_execution_end", isError: false, result: { details: { secretive: 1 } } },
  ]);
  const sent = server.requests[1];
  expect(sent?.text).toContain(`"data":"${pixel}"`);
  expect(sent?.text).toContain("a picture");
  expect(sent?.text).not.toContain("secretive");
});
