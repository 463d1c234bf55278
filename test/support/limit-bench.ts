import { expect } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import type { AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory } from "./agent-directory.ts";
import { eventOrderProblem } from "./event-order.ts";
import type { Reply } from "./replies.ts";
import { openScriptAgent } from "./script-agent.ts";

const agentWith = (yaml: string): string => `---\n${yaml}\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n`;

/** The usage of each answer: 100 tokens. */
const usage = { input: 60, output: 30, cacheRead: 8, cacheWrite: 2 };
/** A reply that reads a file. */
export const look = (id: string, path = "agent.mdx"): Reply => ({
  calls: [{ id, name: "read_file", arguments: { path } }],
  usage,
});
export const say = (text: string): Reply => ({ text, usage });

export interface Run {
  readonly prompts?: readonly string[];
  readonly options?: Partial<AgentOptions>;
}

/** The events of prompts, each in an agent of its own: limits must survive a restart. */
export async function run(
  yaml: string,
  replies: readonly Reply[],
  { prompts = ["main"], options = {} }: Run = {},
): Promise<readonly (readonly AgentEvent[])[]> {
  using directory = agentDirectory({ "agent.mdx": agentWith(yaml) });
  const all: (readonly AgentEvent[])[] = [];
  for (const session of prompts) {
    const agent = await openScriptAgent(directory.path, replies, options);
    const events = await Array.fromAsync(agent.session(session).prompt("go"));
    expect(eventOrderProblem(events)).toBeUndefined();
    all.push(events);
    await agent.close();
  }
  return all;
}

export const endOf = (events: readonly AgentEvent[] | undefined): AgentEvent | undefined => events?.at(-1);
export const reached = (events: readonly AgentEvent[] | undefined): readonly AgentEvent[] | undefined =>
  events?.filter(({ type }) => type === "limit_reached");
