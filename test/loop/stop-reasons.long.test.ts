import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { agentDirectory } from "../support/agent-directory.ts";
import { words } from "../support/conversation.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { type WireReply, type WireServer, wireServer, wires } from "../support/wire-server.ts";

const done: WireReply = { parts: [{ text: ["Done."] }] };

const tooLong: WireReply = { status: 400, message: "prompt is too long: the maximum context length is 8 tokens" };
const long: WireReply = { parts: [{ text: [words(800)] }] };
const summary: WireReply = { parts: [{ text: ["They talked."] }] };

const compactions = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === "context_compacted");

test.each(wires)(
  "a conversation that %s finds too long is summarised once; if it is still too long, the prompt fails",
  async (wire) => {
    using directory = agentDirectory({ "long.txt": words(900) });
    const reads = Array.from(
      { length: 6 },
      (_, turn): WireReply => ({
        parts: [{ id: `call_${turn}`, name: "read_file", json: ['{"path":"long.txt"}'] }],
      }),
    );
    using server = wireServer(wire, long, ...reads, tooLong, summary, tooLong, summary, done);
    await ask(directory.path, server, "Talk.");
    const events = await ask(directory.path, server, "Read.");
    expect(compactions(events)).toHaveLength(1);
    const last = { stopReason: "contextExceeded", errorMessage: expect.stringContaining("too long") };
    expect(events.findLast(({ type }) => type === "turn_end")).toMatchObject({ message: last });
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array.from({ length: 10 }, () => undefined));
    expect(server.requests[9]?.text).toContain("They talked.");
  },
);

test.each(wires)(
  "an input that alone is too long for %s fails at once: there is nothing to summarise",
  async (wire) => {
    using directory = agentDirectory();
    using server = wireServer(wire, tooLong, done);
    const events = await ask(directory.path, server, words(3000));
    expect(compactions(events)).toEqual([]);
    expect(events.findLast(({ type }) => type === "turn_end")).toMatchObject({
      message: { stopReason: "contextExceeded" },
    });
    expect(server.requests).toHaveLength(1);
  },
);

const tight = "---\ncontext: { window: 8000, compactAt: 0.25 }\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n";

test.each(wires)("where a summary leaves a request of %s above its mark, no second one is asked for", async (wire) => {
  using directory = agentDirectory({ "agent.mdx": tight, "long.txt": words(2600) });
  const read = (id: string): WireReply => ({ parts: [{ id, name: "read_file", json: ['{"path":"long.txt"}'] }] });
  using server = wireServer(wire, long, summary, read("a"), read("b"), done, done, done);
  await ask(directory.path, server, "Talk.");
  const events = await ask(directory.path, server, words(3000, "newest"));
  expect(compactions(events)).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  expect(server.requests).toHaveLength(5);
});

/** The events of a prompt in an agent of its own. */
async function ask(directory: string, server: WireServer, input: string): Promise<readonly AgentEvent[]> {
  const agent = await openScriptAgent(directory, [], { model: await server.open() });
  const events = await Array.fromAsync(agent.session().prompt(input));
  await agent.close();
  return events;
}
