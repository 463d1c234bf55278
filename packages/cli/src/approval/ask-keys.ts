import type { ApprovalAnswer } from "@mdx-ai/runtime";
import { themeOf } from "../output/theme.ts";
import { type Asked, questionNotes } from "./approval-content.ts";
import { onScreen, type TerminalQuestionOptions, typedAhead } from "./ask-on-terminal.ts";
import { framedLines } from "./framed-lines.ts";

/**
 * Asks a question with the answers of its keys on the terminal, outside of a conversation. Esc and Ctrl+C answer no. Rejects when `signal`
 * fires.
 */
export function askKeys(asked: Asked, signal: AbortSignal, options: TerminalQuestionOptions): Promise<ApprovalAnswer> {
  return options.still(() => ask(asked, signal, options));
}

async function ask(
  { content, keys, asks }: Asked,
  signal: AbortSignal,
  options: TerminalQuestionOptions,
): Promise<ApprovalAnswer> {
  const { stderr, environment } = options;
  const theme = themeOf(environment);
  const columns = process.stderr.columns || 80;
  const lines = [
    ...framedLines(content.lines, columns, theme),
    ...questionNotes(content).map((note) => theme.dim(note)),
  ];
  stderr.write(lines.map((line) => `${line}\n`).join(""));
  await stderr.flush();
  await typedAhead(signal, options.interrupt);
  const { isCancel, select, text } = await import("@clack/prompts");
  const position = await onScreen(signal, options, (open) =>
    select<number>({
      message: content.title,
      options: keys.map(({ meaning }, index) => ({ value: index, label: meaning })),
      output: process.stderr,
      signal: open,
    }),
  );
  signal.throwIfAborted();
  const key = isCancel(position) ? undefined : keys[position];
  if (key === undefined) return { answer: "no" };
  if (key.says !== undefined) return { answer: "no", reason: key.says };
  if (!key.asksReason) return key.answer === "no" ? { answer: "no" } : { answer: key.answer };
  const typed = await onScreen(signal, options, (open) =>
    text({ message: asks ?? "Your answer:", output: process.stderr, signal: open }),
  );
  signal.throwIfAborted();
  return isCancel(typed) || typed === undefined ? { answer: "no" } : { answer: "no", reason: typed };
}
