import type { AssistantContent, AssistantMessage } from "../types/message.ts";
import { sentSearch } from "./provider-search.ts";

/** A read-only version of an SDK type. */
export type Sent<Type> = Type extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: Sent<Type[Key]> }
    : Type;

/**
 * The part of an answer that goes back to `provider`. An answer that broke off keeps only its text, since its thinking and calls may be
 * incomplete. Another provider's answer loses thinking and signatures.
 */
export function portableContent(answer: AssistantMessage, provider: string): readonly AssistantContent[] {
  const { content, stopReason } = answer;
  const isHalf = stopReason === "error" || stopReason === "aborted";
  if (isHalf) return content.filter(({ type }) => type === "text").map(unsigned);
  return answer.provider === provider ? content : content.filter(({ type }) => type !== "thinking").map(unsigned);
}

function unsigned(block: AssistantContent): AssistantContent {
  const { signature: _, ...rest } = block;
  return rest;
}

/** Some providers reject thinking at the end of an answer. */
export const withoutLastThinking = (content: readonly AssistantContent[]): readonly AssistantContent[] =>
  content.slice(0, content.findLastIndex((block) => block.type !== "thinking" || sentSearch(block) !== undefined) + 1);

/** Whether a block is not empty: no provider accepts empty text. */
export const saysSomething = (block: { readonly type: string; readonly text?: string }): boolean =>
  block.type !== "text" || block.text?.trim() !== "";

/** Sent for a result that is missing from the history. */
export const unknownOutcome = "interrupted, outcome unknown";

/** Sent for an empty user message. */
export const emptyInput = "(empty)";

/** The maximum length of a tool name for all providers. */
const longestName = 64;

/**
 * A call's name in characters that all providers accept: a model may call a tool that does not exist, and an invalid name would break later
 * requests.
 */
export const sentName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longestName) || "tool";

/** A call's id in characters that all providers accept. */
export const cleanId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, "_");

/** Numbers that are tried one by one. */
const fewCounts = 10;

/**
 * The first free id that `numbered` makes for 1, 2, 3 and so on. If a server gives one id to thousands of calls, the search continues at
 * the number of ids.
 */
export function freeId(numbered: (count: number) => string, taken: ReadonlySet<string>): string {
  let id = numbered(1);
  for (let count = 1; taken.has(id); id = numbered(count)) {
    count = count < fewCounts ? count + 1 : Math.max(count + 1, taken.size);
  }
  return id;
}

/** Appends a number to an id from its second use on. */
export const numberedId =
  (id: string) =>
  (count: number): string => {
    const start = id || "call";
    return count === 1 ? start : `${start}_${count}`;
  };

/** As `numberedId`, for ids with a length limit. Ids that differ only at the end are cut to the same text. */
export const shortenedId =
  (id: string, longest: number) =>
  (count: number): string => {
    const end = count === 1 ? "" : `_${count}`;
    return (cleanId(id) || "call").slice(0, longest - end.length) + end;
  };

/** Consecutive messages of one role with lists of blocks. */
interface RoleMessage<Role, Block> {
  readonly role: Role;
  readonly content: readonly Block[];
}

/** Appends a message, or merges it with the last one of the same role; drops empty ones. */
export function addMessage<Role, Block>(messages: RoleMessage<Role, Block>[], message: RoleMessage<Role, Block>): void {
  if (message.content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role !== message.role) messages.push(message);
  else messages[messages.length - 1] = { role: message.role, content: [...last.content, ...message.content] };
}
