import { isRecord } from "@mdx-ai/base";
import { contentText } from "@mdx-ai/loop";
import { isAssistantMessage, isToolResultMessage, isUserMessage, type Message, type ToolCall } from "@mdx-ai/models";
import type { JournalLine } from "@mdx-ai/sessions";

/** A call of a background agent whose result the model has not received. */
export interface OpenCall {
  readonly call: ToolCall;
  /** The name of the agent. */
  readonly agent: string;
  /** Its session. */
  readonly session: string;
}

/** The details of a call that has returned while its agent works on. */
export const backgroundDetails = (agent: string, session: string): NonNullable<OpenDetails> => ({
  ...{ agent, session, isBackground: true },
});

type OpenDetails = { readonly agent: string; readonly session: string; readonly isBackground: true } | undefined;

/** The message with the result of a background agent. */
export const resultText = (agent: string, session: string, text: string): string =>
  `${headOf(agent, session)}\n\n${text}`;

const headOf = (agent: string, session: string): string => `[the agent ${agent} has ended; session ${session}]`;

/** What a session knows of its calls. */
export interface KnownCalls {
  readonly messages: readonly Message[];
  /** The lines of the unfinished prompt. */
  readonly journaled: readonly JournalLine[];
  /** The inputs of the prompt and of those that wait, of which no message may exist yet. */
  readonly inputs: readonly string[];
}

/** The calls that have no result yet. */
export function openCalls({ messages, journaled, inputs }: KnownCalls): readonly OpenCall[] {
  const all = [...messages, ...journaled.flatMap(messageIn)];
  const calls = new Map(all.flatMap(callsIn).map((call) => [call.id, call]));
  const texts = all.flatMap((message) => (message.role === "user" ? [contentText(message.content)] : []));
  const said = [...texts, ...inputs];
  return all.flatMap((message) => {
    const details = message.role === "toolResult" ? detailsOf(message.details) : undefined;
    const call = message.role === "toolResult" ? calls.get(message.toolCallId) : undefined;
    if (details === undefined || call === undefined) return [];
    const { agent, session } = details;
    return said.some((text) => text.startsWith(headOf(agent, session))) ? [] : [{ call, agent, session }];
  });
}

const callsIn = (message: Message): readonly ToolCall[] =>
  message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];

function messageIn(line: JournalLine): readonly Message[] {
  const result: unknown = "result" in line ? line.result : undefined;
  return isUserMessage(result) || isAssistantMessage(result) || isToolResultMessage(result) ? [result] : [];
}

function detailsOf(details: unknown): OpenDetails {
  if (!isRecord(details) || details["isBackground"] !== true) return undefined;
  const { agent, session } = details;
  return typeof agent === "string" && typeof session === "string" ? { agent, session, isBackground: true } : undefined;
}
