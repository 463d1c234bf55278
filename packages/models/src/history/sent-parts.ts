import type { AssistantContent, AssistantMessage } from "../types/message.ts";

/** A type of a vendor's SDK as it is sent: nothing in it changes. */
export type Sent<Type> = Type extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: Sent<Type[Key]> }
    : Type;

/**
 * What of an answer goes back to `provider`. Of one that broke off, only its text: its thinking and its calls may be half.
 * What another provider made goes without its thinking and without signatures.
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

/** Some providers refuse thinking at the end of an answer. */
export const withoutLastThinking = (content: readonly AssistantContent[]): readonly AssistantContent[] =>
  content.slice(0, content.findLastIndex(({ type }) => type !== "thinking") + 1);

/** Whether a block holds something that every provider takes: none takes an empty text. */
export const saysSomething = (block: { readonly type: string; readonly text?: string }): boolean =>
  block.type !== "text" || block.text?.trim() !== "";

/** Sent for a result that is not in the history. */
export const unknownOutcome = "interrupted, outcome unknown";

/** Sent for an empty message of the user. */
export const emptyInput = "(empty)";

/** Characters that a tool's name may have with every provider. */
const longestName = 64;

/** The name of a call as every provider takes it. A model may call a tool that does not exist, and its name would spoil each further request. */
export const sentName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longestName) || "tool";

/** An id of a call in the characters that every provider takes. */
export const cleanId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, "_");

/** Numbers that are tried one by one. */
const fewCounts = 10;

/**
 * The first id that is free of those that `numbered` makes for 1, 2, 3 and so on. A server may give one id to thousands
 * of calls; then the search continues at a number that is as large as the ids are many.
 */
export function freeId(numbered: (count: number) => string, taken: ReadonlySet<string>): string {
  let id = numbered(1);
  for (let count = 1; taken.has(id); id = numbered(count)) {
    count = count < fewCounts ? count + 1 : Math.max(count + 1, taken.size);
  }
  return id;
}

/** An id, with a number at its end from the second call on that has it. */
export const numberedId =
  (id: string) =>
  (count: number): string => {
    const start = id || "call";
    return count === 1 ? start : `${start}_${count}`;
  };

/** The same for ids of a limited length. Ids that differ only at their ends are cut to the same text. */
export const shortenedId =
  (id: string, longest: number) =>
  (count: number): string => {
    const end = count === 1 ? "" : `_${count}`;
    return (cleanId(id) || "call").slice(0, longest - end.length) + end;
  };

/** Messages of one role in a row, whose content comes in blocks. */
interface RoleMessage<Role, Block> {
  readonly role: Role;
  readonly content: readonly Block[];
}

/** Adds a message, or its content to the last one of the same role; one without content is left out. */
export function addMessage<Role, Block>(messages: RoleMessage<Role, Block>[], message: RoleMessage<Role, Block>): void {
  if (message.content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role !== message.role) messages.push(message);
  else messages[messages.length - 1] = { role: message.role, content: [...last.content, ...message.content] };
}
