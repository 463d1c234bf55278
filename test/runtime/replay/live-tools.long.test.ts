import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openReplay, type ToolDifference } from "@mdx-ai/runtime";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT, writeText } from "../../support/agent-files.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const count = toolText(
  "count",
  "  require('node:fs').appendFileSync(ctx.agentDir + '/effects', params.text + '\\n');\n  return 'counted ' + params.text;",
);
const other = count.replace("counted ", "other ");
const fixed = toolText("fixed", "  return 'fixed';");
const call = (id: string, name: string, text = "a") => ({ id, name, arguments: { text } });

async function record(path: string, replies: readonly Reply[]): Promise<void> {
  const agent = await openScriptAgent(path, replies);
  await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
}

interface Rerun {
  readonly events: readonly AgentEvent[];
  readonly differences: readonly ToolDifference[];
}

/** Plays the only prompt of a session with the tools that there are now. */
async function rerun(
  path: string,
  signal: AbortSignal = new AbortController().signal,
  isPartial = false,
): Promise<Rerun> {
  const agent = await openScriptAgent(path, [], { ephemeral: true });
  try {
    const replay = await openReplay(await readAgentDirectory(path), { session: "main" });
    const [prompt] = replay.recording.prompts;
    if (!prompt) throw new Error("there is no prompt");
    const differences: ToolDifference[] = [];
    const onDifference = (difference: ToolDifference): void => void differences.push(difference);
    const tools = isPartial ? [] : agent.tools;
    const live = { tools, isPartial, cwd: path, signal, log: async () => {}, onDifference };
    return { events: await Array.fromAsync(replay.play(prompt, live)), differences };
  } finally {
    await agent.close();
  }
}

const effects = (path: string): string =>
  existsSync(join(path, "effects")) ? readFileSync(join(path, "effects"), "utf8") : "";

describe("tools that are run again", () => {
  test("run once more with their arguments, and where they give the same nothing differs", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + count + fixed });
    const { path } = directory;
    await record(path, [{ calls: [call("1", "count"), call("2", "fixed")] }, { text: "done" }]);
    const { differences, events } = await rerun(path);
    expect(differences).toStrictEqual([]);
    expect(effects(path)).toBe("a\na\n");
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
  });

  test("that give something else are reported, and the replay continues with what was recorded", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + count + fixed });
    const { path } = directory;
    await record(path, [{ calls: [call("1", "count"), call("2", "fixed")] }, { text: "done" }]);
    writeText(join(path, "agent.mdx"), MINIMAL_AGENT + other + fixed);
    const { differences, events } = await rerun(path);
    expect(differences).toStrictEqual([
      {
        ...{ prompt: 1, step: "tool:1:1", name: "count", arguments: { text: "a" } },
        recorded: { content: [{ type: "text", text: "counted a" }], isError: false },
        now: { content: [{ type: "text", text: "other a" }], isError: false },
      },
    ]);
    const ends = events.flatMap((event) => (event.type === "tool_execution_end" ? [event.result.content] : []));
    expect(ends.flat()).toContainEqual({ type: "text", text: "counted a" });
  });

  test("that are gone, or refuse arguments that they took, differ", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + count + fixed });
    const { path } = directory;
    await record(path, [{ calls: [call("1", "count"), call("2", "fixed")] }, { text: "done" }]);
    writeText(join(path, "agent.mdx"), MINIMAL_AGENT + fixed.replace('required="false"', 'type="number"'));
    const { differences } = await rerun(path);
    const told = differences.map(({ name, now }) => [name, now.isError, JSON.stringify(now.content)]);
    expect(told).toStrictEqual([
      ["count", true, expect.stringContaining("there is no tool count")],
      ["fixed", true, expect.stringContaining("text")],
    ]);
  });

  test("do not run where they did not run then", async () => {
    using directory = agentDirectory({ "agent.mdx": `---\nlimits: {toolCalls: 1}\n---\n${MINIMAL_AGENT}${count}` });
    const { path } = directory;
    const replies = [{ calls: [call("1", "count"), call("2", "count", "b"), call("3", "missing")] }, { text: "done" }];
    await record(path, replies);
    expect(effects(path)).toBe("a\n");
    expect((await rerun(path)).differences).toStrictEqual([]);
    expect(effects(path)).toBe("a\na\n");
  });

  test("are given the note again that a model gets for the same call with the same result", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + fixed });
    const { path } = directory;
    const again = ["1", "2", "3", "4"].map((id): Reply => ({ calls: [call(id, "fixed")] }));
    await record(path, [...again, { text: "done" }]);
    expect((await rerun(path)).differences).toStrictEqual([]);
  });

  test("of modules that were not loaded are passed over", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + count });
    const { path } = directory;
    await record(path, [{ calls: [call("1", "count")] }, { text: "done" }]);
    expect((await rerun(path, undefined, true)).differences).toStrictEqual([]);
    expect(effects(path)).toBe("a\n");
  });

  test("stop with the signal, and the replay with them", async () => {
    const slow = toolText(
      "slow",
      "  if (require('node:fs').existsSync(ctx.agentDir + '/hang')) await new Promise(() => setInterval(() => {}, 1000));\n  return 'x';",
    );
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + slow + fixed });
    const { path } = directory;
    await record(path, [{ calls: [call("1", "slow"), call("2", "missing"), call("3", "fixed")] }, { text: "done" }]);
    writeText(join(path, "hang"), "");
    const stop = new AbortController();
    const stopped = rerun(path, stop.signal);
    setTimeout(() => stop.abort(), 100);
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
  });
});
