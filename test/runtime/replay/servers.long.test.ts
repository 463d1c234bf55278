import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { type AgentDirectory, readAgentDirectory } from "@mdx-ai/parser";
import { type CallCounts, openComparison, openReplay, type Replay } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { agentWithServers, bareServer, fileServer } from "../../support/mcp-server-file.ts";
import { type Reply, scriptReference } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const skill = (more: string): string => `---
name: rhymes
description: Rhymes.
${more}---
Rhyme.

## Tools

### rhyme.find
description: Finds a rhyme.
entrypoint: bash:echo time
schema: {type: object}
`;

const OF_SKILL = `mcp_server: {command: ${JSON.stringify(process.execPath)}, args: ["{baseDir}/../../server.mjs"]}\n`;

/** A server that leaves a file when it is started. */
const SERVER = `import { writeFileSync } from "node:fs";\n${bareServer('writeFileSync(`${process.argv[1]}.started`, "");')}`;

const FILES = {
  "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
  "server.mjs": SERVER,
  "skills/rhymes/SKILL.md": skill(OF_SKILL),
};

const NAMES = ["mcp.bare.greet", "mcp.rhymes.greet", "rhyme.find"];
const CALLS = NAMES.map((name) => ({ id: name, name: name.replaceAll(".", "_"), arguments: {} }));
const REPLIES: readonly Reply[] = [{ calls: CALLS }, { text: "Done." }];
const ALLOWED = { permissions: { allow: ["*"] } };

interface Recorded extends Disposable {
  readonly read: AgentDirectory;
  readonly replay: Replay;
  readonly events: readonly AgentEvent[];
  /** Whether a server was started since the recording. */
  hasStarted(): boolean;
}

/** Records a prompt with calls of two servers and of a skill's tool. */
async function recorded(): Promise<Recorded> {
  const directory = agentDirectory(FILES);
  const { path } = directory;
  const agent = await openScriptAgent(path, REPLIES, ALLOWED);
  const events = await Array.fromAsync(agent.session().prompt("Go"));
  await agent.close();
  const started = join(path, "server.mjs.started");
  rmSync(started);
  const read = await readAgentDirectory(path);
  const replay = await openReplay(read, { session: "main" });
  return { ...directory, read, replay, events, hasStarted: () => existsSync(started) };
}

const ends = (events: readonly AgentEvent[]): readonly AgentEvent[] =>
  events.filter(({ type }) => type === "tool_execution_end");

describe("a recording with calls of MCP servers and of a skill's tool", () => {
  test("is played as it was, with the names of the tools, starts nothing, and reports no change", async () => {
    using session = await recorded();
    const { replay } = session;
    const { prompts } = replay.recording;
    const played = await Promise.all(prompts.map((prompt) => Array.fromAsync(replay.play(prompt))));
    expect(ends(played.flat())).toStrictEqual(ends(session.events));
    expect(prompts.flatMap((prompt) => replay.calls(prompt)).map(({ name }) => name)).toStrictEqual(NAMES);
    expect(replay.changes(prompts)).toStrictEqual([]);
    expect(session.hasStarted()).toBe(false);
  });

  test("shows another model no server without live tools, and starts none", async () => {
    using session = await recorded();
    const { events, calls } = await compared(session, false);
    const results = ends(events).map((event) => JSON.stringify(event));
    expect(results.filter((text) => text.includes("there is no tool mcp_"))).toHaveLength(2);
    expect(calls).toStrictEqual({ recorded: 1, others: 0 });
    expect(session.hasStarted()).toBe(false);
  });

  test("gives another model the recorded results of live servers, too", async () => {
    using session = await recorded();
    const { calls } = await compared(session, true);
    expect(calls).toStrictEqual({ recorded: 3, others: 0 });
    expect(session.hasStarted()).toBe(true);
  });
});

/** Asks a model for the recorded prompts that makes the same calls. */
async function compared(
  { read, replay: { recording } }: Recorded,
  isLive: boolean,
): Promise<{ readonly events: readonly AgentEvent[]; readonly calls: CallCounts }> {
  const model = await openModel(scriptReference(read.path, REPLIES), { environment: {} });
  const comparison = await openComparison({ recording, agent: { directory: read, model, ...ALLOWED }, isLive });
  const { signal } = new AbortController();
  const asked = recording.prompts.map((prompt) => Array.fromAsync(comparison.ask(prompt, signal)));
  const events = (await Promise.all(asked)).flat();
  await comparison.close();
  const { recorded: answered, others } = comparison.calls;
  return { events, calls: { recorded: answered, others } };
}
