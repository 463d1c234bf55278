import { isRecord } from "@mdx-ai/base";
import { isUserMessage, type UserMessage } from "@mdx-ai/models";

/** The signals of the invocation that runs a prompt. */
export const SIGNALS = {
  /** With a `PromptMessage`; counted from 1, so that each has its own. */
  message: (number: number): string => `message:${number}`,
  /** With an `Answer`. */
  answer: (question: string): string => `answer:${question}`,
} as const;

/** What a controller sends to a running prompt: input, or that it is cancelled. */
export type PromptMessage = { readonly steer: UserMessage } | { readonly cancel: true };

export const isPromptMessage = (value: unknown): value is PromptMessage =>
  isRecord(value) && (value["cancel"] === true || isUserMessage(value["steer"]));
