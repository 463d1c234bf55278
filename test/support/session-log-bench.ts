import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentOptions } from "@mdx-ai/runtime";
import type { Reply } from "./replies.ts";
import { openScriptAgent } from "./script-agent.ts";

export type Line = Readonly<Record<string, unknown>>;

export function records(directory: string, name = "main.jsonl"): readonly Line[] {
  const text = readFileSync(join(directory, "logs", name), "utf8");
  expect(text).toEndWith("\n");
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** What there is to tell in a record, without the keys that every one has and what differs from run to run. */
export const told = ({ ts, session_id, latency_ms, model, ...rest }: Line): Line =>
  Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));

export interface Run extends Partial<AgentOptions> {
  readonly replies: readonly Reply[];
  readonly prompts: readonly string[];
}

/** Opens the agent, has it work off prompts, and closes it. */
export async function converse(directory: string, { replies, prompts, ...options }: Run): Promise<void> {
  const agent = await openScriptAgent(directory, replies, options);
  try {
    for (const prompt of prompts) await Array.fromAsync(agent.session().prompt(prompt));
  } finally {
    await agent.close();
  }
}
