import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import type { StopReason } from "@mdx-ai/models";
import { agentDirectory } from "../support/agent-directory.ts";
import { lookedAt, lookingAgent } from "../support/looking-agent.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { type Wire, type WirePart, type WireReply, type WireServer, wireServer } from "../support/wire-server.ts";

const text: WirePart = { text: ["So ", "far."] };
const call: WirePart = { id: "call_1", name: "look", json: ['{"text":', '"sea"}'] };
const done: WireReply = { parts: [{ text: ["Done."] }] };

/** How a prompt goes on after an answer: what the message says, how many requests there are, what ran. */
interface Case {
  readonly wire: Wire;
  readonly stop: string;
  readonly parts: readonly WirePart[];
  readonly reason: StopReason;
  readonly requests: number;
  readonly looked: readonly string[];
}

const ends = { parts: [text], requests: 1, looked: [] };
const runs = { parts: [text, call], requests: 2, looked: ["sea"] };
const runsNothing = { parts: [text, call], requests: 2, looked: [] };
const endsWithoutRun = { parts: [text, call], requests: 1, looked: [] };

const cases: readonly Case[] = [
  { wire: "anthropic", stop: "end_turn", reason: "stop", ...ends },
  { wire: "anthropic", stop: "tool_use", reason: "toolUse", ...runs },
  { wire: "anthropic", stop: "max_tokens", reason: "length", ...ends },
  { wire: "anthropic", stop: "max_tokens", reason: "length", ...runsNothing },
  { wire: "anthropic", stop: "stop_sequence", reason: "stop", ...ends },
  { wire: "anthropic", stop: "pause_turn", reason: "pause", ...ends, requests: 2 },
  { wire: "anthropic", stop: "refusal", reason: "refusal", ...ends },
  { wire: "anthropic", stop: "refusal", reason: "refusal", ...endsWithoutRun },
  { wire: "anthropic", stop: "model_context_window_exceeded", reason: "contextExceeded", ...ends },
  { wire: "openai", stop: "stop", reason: "stop", ...ends },
  { wire: "openai", stop: "tool_calls", reason: "toolUse", ...runs },
  { wire: "openai", stop: "length", reason: "length", ...ends },
  { wire: "openai", stop: "length", reason: "length", ...runsNothing },
  { wire: "openai", stop: "content_filter", reason: "refusal", ...ends },
  { wire: "openai", stop: "content_filter", reason: "refusal", ...endsWithoutRun },
];

test.each([...cases])(
  "an answer of $wire that stops for $stop: $reason, $requests requests, $looked ran",
  async ({ wire, stop, parts, reason, requests, looked }) => {
    using directory = agentDirectory(lookingAgent);
    using server = wireServer(wire, { parts, stop }, done);
    const events = await ask(directory.path, server, "Go.");
    const [first] = events.flatMap((event) => (event.type === "turn_end" ? [event.message.stopReason] : []));
    expect(first).toBe(reason);
    expect(lookedAt(directory.path)).toEqual([...looked]);
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(
      Array.from({ length: requests }, () => undefined),
    );
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
  },
);

test("a pause is continued by the very conversation, without a word of the user", async () => {
  using directory = agentDirectory();
  using server = wireServer("anthropic", { parts: [text], stop: "pause_turn" }, done);
  await ask(directory.path, server, "Go.");
  const { messages } = JSON.parse(server.requests[1]?.text ?? "");
  expect(messages.map(({ role }: { readonly role: string }) => role)).toEqual(["user", "assistant"]);
});

/** The events of a prompt in an agent of its own. */
async function ask(directory: string, server: WireServer, input: string): Promise<readonly AgentEvent[]> {
  const agent = await openScriptAgent(directory, [], { model: await server.open() });
  const events = await Array.fromAsync(agent.session().prompt(input));
  await agent.close();
  return events;
}
