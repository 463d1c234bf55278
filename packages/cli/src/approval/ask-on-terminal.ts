import type { Environment } from "@mdx-ai/base";
import { counted } from "@mdx-ai/directory/views/figures";
import type { ApprovalAnswer, ApprovalRequest, AskApproval } from "@mdx-ai/loop";
import { wrapped } from "../output/line-layout.ts";
import type { Output } from "../output/output.ts";
import { type Theme, themeOf } from "../output/theme.ts";
import {
  type AnswerKey,
  type ApprovalContent,
  type Asked,
  approvalContent,
  type ContentLine,
  questionNotes,
} from "./approval-content.ts";
import { framedLines } from "./framed-lines.ts";

export interface TerminalQuestionOptions {
  /** A terminal. */
  readonly stderr: Output;
  readonly environment: Environment;
  /** Suspends other output to the terminal while a question is open. */
  readonly still: <Result>(question: () => Promise<Result>) => Promise<Result>;
}

interface TerminalQuestion extends Asked {
  /** Shown above the answers. */
  readonly message?: string;
}

/** Asks about calls on the terminal while one prompt runs, one question at a time. */
export function createTerminalQuestions(options: TerminalQuestionOptions): AskApproval {
  let last: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const answered = last.then(() => askAboutCall(request, signal, options));
    last = answered.catch(() => undefined);
    return answered;
  };
}

async function askAboutCall(
  request: ApprovalRequest,
  signal: AbortSignal,
  options: TerminalQuestionOptions,
): Promise<ApprovalAnswer> {
  const content = await approvalContent(request, (text) => options.stderr.redacted(text));
  const question = { content, keys: callKeys(content), isBackground: false, message: "Run this call?" };
  const answer = await askOnTerminal(question, signal, options);
  const reason = answer.answer === "no" ? (answer.reason?.trim() ?? "") : "";
  return reason === "" ? { answer: answer.answer } : { answer: "no", reason };
}

/** Enter alone chooses the first. */
const callKeys = ({ prefix, offersEdits }: ApprovalContent): readonly AnswerKey[] => [
  { key: "n", meaning: "No", answer: "no" },
  { key: "w", meaning: "No, and say why", answer: "no", asksReason: true },
  { key: "y", meaning: "Yes, this once", answer: "once" },
  { key: "s", meaning: "Yes, for this session", answer: "session" },
  ...(prefix === undefined ? [] : [{ key: "p", meaning: `Yes, ${prefix} in this session`, answer: "prefix" as const }]),
  ...(offersEdits ? [{ key: "e", meaning: "Yes, all edits in this session", answer: "edits" as const }] : []),
  { key: "a", meaning: "Yes, always", answer: "always" },
];

/**
 * Asks on the terminal, outside of a conversation. Writes to standard error, since standard output may be redirected. Keys typed before the
 * question appeared are dropped; Esc and Ctrl+C answer no. Rejects when `signal` fires.
 */
export const askOnTerminal = (
  asked: TerminalQuestion,
  signal: AbortSignal,
  options: TerminalQuestionOptions,
): Promise<ApprovalAnswer> => options.still(() => ask(asked, signal, options));

async function ask(
  { content, keys, asks, message = "Your answer:" }: TerminalQuestion,
  signal: AbortSignal,
  { stderr, environment }: TerminalQuestionOptions,
): Promise<ApprovalAnswer> {
  signal.throwIfAborted();
  const theme = themeOf(environment);
  stderr.write(questionText(content, theme));
  await stderr.flush();
  await typedAhead(signal);
  for (let { rest } = content; ; rest = []) {
    const chosen = await choose({ keys, message, hasRest: rest.length > 0 }, signal);
    if (chosen !== "view") return chosen === undefined ? { answer: "no" } : answerOf(chosen, asks, signal);
    stderr.write(linesText(rest, theme));
    await stderr.flush();
  }
}

/** Undefined if the user dismisses the question. */
async function choose(
  { keys, message, hasRest }: Pick<Required<TerminalQuestion>, "keys" | "message"> & { readonly hasRest: boolean },
  signal: AbortSignal,
): Promise<AnswerKey | "view" | undefined> {
  const { isCancel, select } = await import("@clack/prompts");
  const position = await onScreen(signal, (open) =>
    select<number>({
      message,
      options: [
        ...keys.map(({ meaning }, index) => ({ value: index, label: meaning })),
        ...(hasRest ? [{ value: keys.length, label: "Show the rest" }] : []),
      ],
      output: process.stderr,
      signal: open,
    }),
  );
  if (isCancel(position)) return undefined;
  return keys[position] ?? "view";
}

async function answerOf(
  { answer, asksReason, says }: AnswerKey,
  asks: string | undefined,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  if (says !== undefined) return { answer: "no", reason: says };
  if (answer !== "no" || !asksReason) return { answer };
  const { isCancel, text } = await import("@clack/prompts");
  const message = asks ?? "What should the model know?";
  const typed = await onScreen(signal, (open) => text({ message, output: process.stderr, signal: open }));
  return isCancel(typed) || typed === undefined ? { answer: "no" } : { answer: "no", reason: typed };
}

/**
 * Shows a question of the library with a separate signal: the library would write to the terminal if the prompt's signal fired after the
 * answer. It also treats Esc and Ctrl+C alike, so Ctrl+C is detected here.
 */
async function onScreen<Result>(
  signal: AbortSignal,
  question: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const takeBack = (): void => controller.abort();
  signal.addEventListener("abort", takeBack, { once: true });
  process.stdin.on("data", interruptOn);
  try {
    const result = await question(controller.signal);
    signal.throwIfAborted();
    return result;
  } finally {
    process.stdin.off("data", interruptOn);
    signal.removeEventListener("abort", takeBack);
  }
}

/** Raises SIGINT on Ctrl+C, as the terminal does outside raw mode. */
function interruptOn(data: Buffer | string): void {
  if (data.toString().includes("\u0003")) process.kill(process.pid, "SIGINT");
}

function questionText(content: ApprovalContent, theme: Theme): string {
  const left = content.rest.length;
  const lines = [
    theme.warning(`? ${content.title}`),
    linesText(content.lines, theme).trimEnd(),
    ...(left > 0 ? [theme.warning(`  ${counted(left, "more line")} of the difference`)] : []),
    ...questionNotes(content).flatMap((note) => wrapped(theme.dim(note), columns(), "  ")),
  ];
  return `${lines.join("\n")}\n`;
}

const linesText = (lines: readonly ContentLine[], theme: Theme): string =>
  framedLines(lines, columns(), theme)
    .map((line) => `${line}\n`)
    .join("");

const columns = (): number => process.stderr.columns || 80;

/** Milliseconds without a key after which typing has stopped. */
const QUIET_MILLISECONDS = 400;

/**
 * Drops typed-ahead input until no key arrives for a moment; Ctrl+C still interrupts. Standard input must be a terminal. Never rejects;
 * resolves at once when `signal` fires.
 */
async function typedAhead(signal: AbortSignal): Promise<void> {
  const { stdin } = process;
  const quiet = Promise.withResolvers<void>();
  const end = (): void => quiet.resolve();
  let timer = setTimeout(end, QUIET_MILLISECONDS);
  const take = (data: Buffer | string): void => {
    interruptOn(data);
    clearTimeout(timer);
    timer = setTimeout(end, QUIET_MILLISECONDS);
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  stdin.setRawMode(true);
  stdin.on("data", take).resume();
  try {
    await quiet.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    stdin.off("data", take).pause();
    stdin.setRawMode(false);
  }
}
