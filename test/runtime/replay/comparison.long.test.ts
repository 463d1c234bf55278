import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type CallCounts, openComparison, openReplay } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { type Reply, scriptReference } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const random = toolText("random", "  return 'drawn ' + Math.random();");
const call = (id: string, text: string, name = "random") => ({ id, name, arguments: { text } });

async function record(path: string, ...prompts: readonly (readonly Reply[])[]): Promise<void> {
  const agent = await openScriptAgent(path, prompts.flat());
  for (const [number] of prompts.entries()) await Array.fromAsync(agent.session().prompt(`question ${number}`));
  await agent.close();
}

interface Asked {
  readonly events: readonly AgentEvent[];
  readonly calls: CallCounts;
}

/** Asks a model that plays replies for all prompts of a session. */
async function ask(path: string, replies: readonly Reply[], isLive = false): Promise<Asked> {
  using scripts = temporaryDirectory();
  const model = await openModel(scriptReference(scripts.path, replies), { environment: {} });
  const directory = await readAgentDirectory(path);
  const { recording } = await openReplay(directory, { session: "main" });
  const agent = { directory, model, cwd: path, toolHostCommand: toolHostCommand(), environment: process.env };
  const comparison = await openComparison({ recording, agent, isLive });
  const events: AgentEvent[] = [];
  for (const prompt of recording.prompts) {
    events.push(...(await Array.fromAsync(comparison.ask(prompt, new AbortController().signal))));
  }
  await comparison.close();
  const { recorded, others } = comparison.calls;
  return { events, calls: { recorded, others } };
}

const resultTexts = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => {
    if (event.type !== "tool_execution_end") return [];
    return event.result.content.map((block) => (block.type === "text" ? block.text : ""));
  });

const inputs = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "user" ? [event.message.content] : [],
  );

async function recordedTexts(path: string): Promise<readonly string[]> {
  const replay = await openReplay(await readAgentDirectory(path), { session: "main" });
  const events = await Promise.all(replay.recording.prompts.map((prompt) => Array.fromAsync(replay.play(prompt))));
  return resultTexts(events.flat());
}

describe("another model that is asked for recorded prompts", () => {
  test("gets the same inputs, and the recorded results for calls that are the same but for the order of keys", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + random });
    const { path } = directory;
    await record(path, [{ calls: [call("1", "a")] }, { text: "one" }], [{ calls: [call("2", "a")] }, { text: "two" }]);
    const [first = "", second = ""] = await recordedTexts(path);
    expect(first).not.toBe(second);
    const { events, calls } = await ask(path, [
      { calls: [call("x", "a")] },
      { text: "uno" },
      { calls: [call("y", "a"), call("z", "a")] },
      { text: "due" },
    ]);
    expect(resultTexts(events)).toStrictEqual([first, second, second]);
    expect(calls).toStrictEqual({ recorded: 3, others: 0 });
    expect(inputs(events)).toStrictEqual([
      [{ type: "text", text: "question 0" }],
      [{ type: "text", text: "question 1" }],
    ]);
  });

  test("gets an error for a call that was not recorded, or a result where tools are run", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + random });
    const { path } = directory;
    await record(path, [{ calls: [call("1", "a")] }, { text: "one" }]);
    const replies = [{ calls: [call("x", "b")] }, { text: "uno" }];
    const { events, calls } = await ask(path, replies);
    expect(resultTexts(events)).toStrictEqual(["this call was not recorded; run it with --live-tools"]);
    expect(calls).toStrictEqual({ recorded: 0, others: 1 });
    expect(resultTexts((await ask(path, replies, true)).events)).toStrictEqual([expect.stringMatching(/^drawn 0\./)]);
  });

  test("writes nothing to the directory", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + random });
    const { path } = directory;
    await record(path, [{ text: "one" }]);
    const files = (): readonly string[] => readdirSync(path, { recursive: true }).map(String).sort();
    const journal = join(path, "sessions/main/journal.jsonl");
    const before = [files(), await Bun.file(journal).text()];
    await ask(path, [{ text: "uno", usage: { input: 100, output: 5 } }]);
    expect([files(), await Bun.file(journal).text()]).toStrictEqual(before);
  });

  test("receives what the code in the prose gave then, without running it; else there is a clear error", async () => {
    const prose = "export const drawn = Math.random();\n\n# Agent: Drawn\n\n## Purpose\n\nIt is {drawn}.\n";
    using directory = agentDirectory({ "agent.mdx": prose });
    const { path } = directory;
    await record(path, [{ text: "one" }]);
    await ask(path, [{ text: "uno" }]);
    using plain = agentDirectory();
    await record(plain.path, [{ text: "one" }]);
    await Bun.write(join(plain.path, "agent.mdx"), prose);
    await expect(ask(plain.path, [{ text: "uno" }])).rejects.toThrow(
      "the recording lacks the output of code in agent.mdx",
    );
  });
});
