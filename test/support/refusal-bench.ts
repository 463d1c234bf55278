import { expect } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import type { LanguageModel, Message } from "@mdx-ai/models";
import { agentDirectory } from "./agent-directory.ts";
import { openScriptAgent } from "./script-agent.ts";
import type { WireReply } from "./wire-server.ts";

interface Conversation {
  readonly events: readonly AgentEvent[];
  readonly messages: readonly Message[];
}

/** The events of prompts of one session, and its messages, in this process and when it is opened again. */
export async function run(
  model: LanguageModel,
  inputs: readonly string[],
  retries: number | readonly number[] = 0,
): Promise<Conversation> {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [], { model, retries });
  const events: AgentEvent[][] = [];
  for (const input of inputs) events.push(await Array.fromAsync(agent.session().prompt(input)));
  const messages = await agent.session().messages();
  await agent.close();
  const again = await openScriptAgent(directory.path, [], { model });
  expect(await again.session().messages()).toEqual(messages);
  await again.close();
  return { events: events.flat(), messages };
}

export const done: WireReply = { parts: [{ text: ["Done."] }] };
