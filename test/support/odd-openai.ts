import { expect } from "bun:test";
import type { AssistantMessage } from "@mdx-ai/models";
import { chunk, type RawAnswer, readRaw } from "./raw-server.ts";

export const say = (content: unknown, reason: unknown = null): unknown => chunk({ content }, reason);
export const stop: unknown = chunk({}, "stop");
export const done = "[DONE]";

/** What is compared of a message: its calls, texts and thoughts, and how it ended. */
export const seen = ({ content, stopReason, warning, failure }: AssistantMessage): object => ({
  content: content.map((block) => {
    if (block.type === "text") return block.text;
    if (block.type === "thinking") return { thinking: block.thinking };
    return { [block.name]: block.malformed ?? block.arguments };
  }),
  stopReason,
  ...(warning !== undefined && { warning: true }),
  ...(failure !== undefined && { kind: failure.kind }),
});

export interface Row {
  readonly title: string;
  readonly answer: string | RawAnswer;
  readonly content: readonly unknown[];
  readonly stopReason?: string;
  readonly warning?: true;
  readonly kind?: string;
}

/** Reads an answer whole, cut at some bytes, and byte by byte where it is short. */
export async function check({ answer, content, stopReason = "stop", ...rest }: Row): Promise<void> {
  const raw = typeof answer === "string" ? { body: answer } : answer;
  const { title: _, ...more } = rest;
  const { length } = Buffer.from(raw.body);
  const cuts = [
    [],
    [1, 2, 3, 4, 5, 6, 7],
    Array.from({ length: 9 }, (_, at) => Math.floor((length * (at + 1)) / 10.3)),
  ];
  if (length < 400) cuts.push(Array.from({ length }, (_, at) => at));
  for (const some of cuts)
    expect(seen(await readRaw("chat", { ...raw, cuts: some }))).toEqual({ content, stopReason, ...more });
}

export const unread = { stopReason: "toolUse" } as const;
