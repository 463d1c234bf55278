import { isRecord } from "@mdx-ai/base";

/** An item of a model's list. Its text may be untrusted. */
export interface TodoItem {
  readonly text: string;
  readonly status: string;
}

/** The items of a list in arguments or in the details of a result; undefined if the value is no list. */
export function todoItems(value: unknown): readonly TodoItem[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .filter(isRecord)
    .flatMap(({ text, status }) => (typeof text === "string" && typeof status === "string" ? [{ text, status }] : []));
}

/** The list in the details of a tool's result; undefined if there is none. */
export const todoIn = (details: unknown): readonly TodoItem[] | undefined =>
  isRecord(details) ? todoItems(details["todo"]) : undefined;
