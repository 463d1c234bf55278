import type { Environment } from "@mdx-ai/models";
import type { ApprovalAnswer, ApprovalRequest, AskApproval } from "@mdx-ai/runtime";
import { counted } from "../output/figures.ts";
import { wrapped } from "../output/line-layout.ts";
import type { Output } from "../output/output.ts";
import { type Theme, themeOf } from "../output/theme.ts";
import { type ApprovalContent, approvalContent, type ContentLine, questionNotes } from "./approval-content.ts";
import { framedLines } from "./framed-lines.ts";

export interface TerminalQuestionOptions {
  /** A terminal. */
  readonly stderr: Output;
  readonly environment: Environment;
  /** Writes nothing else to the terminal while a question is open. */
  readonly still: <Result>(question: () => Promise<Result>) => Promise<Result>;
  /** The user pressed Ctrl+C. */
  readonly interrupt: () => void;
}

/**
 * Asks on the terminal while one prompt runs, one question after the other. Writes to standard error, since standard output may
 * go elsewhere. What was typed before a question appeared does not answer it.
 */
export function createTerminalQuestions(options: TerminalQuestionOptions): AskApproval {
  let last: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const answered = last.then(() => options.still(() => ask(request, signal, options)));
    last = answered.catch(() => undefined);
    return answered;
  };
}

async function ask(
  request: ApprovalRequest,
  signal: AbortSignal,
  options: TerminalQuestionOptions,
): Promise<ApprovalAnswer> {
  signal.throwIfAborted();
  const { stderr } = options;
  const content = await approvalContent(request, (text) => stderr.redacted(text));
  const theme = themeOf(options.environment);
  stderr.write(questionText(content, theme));
  await stderr.flush();
  await typedAhead(signal, options.interrupt);
  for (let rest = content.rest; ; rest = []) {
    const choice = await choose({ ...content, hasRest: rest.length > 0 }, signal, options);
    signal.throwIfAborted();
    if (choice !== "view") return choice === "because" ? withReason(signal, options) : answerOf(choice);
    stderr.write(linesText(rest, theme));
    await stderr.flush();
  }
}

type Choice = "no" | "because" | "once" | "session" | "prefix" | "edits" | "always" | "view";

/** The parts of a question that the answers depend on. */
type Offer = Pick<ApprovalContent, "prefix" | "offersEdits"> & { readonly hasRest: boolean };

async function choose(
  { prefix, offersEdits, hasRest }: Offer,
  signal: AbortSignal,
  options: TerminalQuestionOptions,
): Promise<Choice> {
  const { isCancel, select } = await import("@clack/prompts");
  const choice = await onScreen(signal, options, (open) =>
    select<Choice>({
      message: "Run this call?",
      options: [
        { value: "no", label: "No" },
        { value: "because", label: "No, and say why" },
        { value: "once", label: "Yes, this once" },
        { value: "session", label: "Yes, for this session" },
        ...(prefix === undefined ? [] : [{ value: "prefix" as const, label: `Yes, ${prefix} in this session` }]),
        ...(offersEdits ? [{ value: "edits" as const, label: "Yes, all edits in this session" }] : []),
        { value: "always", label: "Yes, always" },
        ...(hasRest ? [{ value: "view" as const, label: "Show the rest" }] : []),
      ],
      output: process.stderr,
      signal: open,
    }),
  );
  return isCancel(choice) ? "no" : choice;
}

async function withReason(signal: AbortSignal, options: TerminalQuestionOptions): Promise<ApprovalAnswer> {
  const { isCancel, text } = await import("@clack/prompts");
  const reason = await onScreen(signal, options, (open) =>
    text({ message: "What should the model know?", output: process.stderr, signal: open }),
  );
  signal.throwIfAborted();
  const said = isCancel(reason) || reason === undefined ? "" : reason.trim();
  return { answer: "no", ...(said !== "" && { reason: said }) };
}

const answerOf = (answer: ApprovalAnswer["answer"]): ApprovalAnswer => ({ answer });

/**
 * Shows a question of the library with its own signal: if the prompt's signal fired after the answer, the library would write to
 * the terminal. The library treats Esc and Ctrl+C alike, so Ctrl+C is detected here.
 */
export async function onScreen<Result>(
  signal: AbortSignal,
  { interrupt }: TerminalQuestionOptions,
  question: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const takeBack = (): void => controller.abort();
  const watch = (data: Buffer | string): void => {
    if (data.toString().includes("\u0003")) interrupt();
  };
  signal.addEventListener("abort", takeBack, { once: true });
  process.stdin.on("data", watch);
  try {
    return await question(controller.signal);
  } finally {
    process.stdin.off("data", watch);
    signal.removeEventListener("abort", takeBack);
  }
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

/** Milliseconds without a key after which the user has stopped typing. */
const QUIET_MILLISECONDS = 400;

/**
 * Drops what was typed ahead, until no key has come for a moment; Ctrl+C still interrupts. Standard input must be a terminal.
 * Never rejects; resolves at once when `signal` fires.
 */
export async function typedAhead(signal: AbortSignal, interrupt: () => void): Promise<void> {
  const { stdin } = process;
  const quiet = Promise.withResolvers<void>();
  const end = (): void => quiet.resolve();
  let timer = setTimeout(end, QUIET_MILLISECONDS);
  const take = (data: Buffer | string): void => {
    if (data.toString().includes("\u0003")) interrupt();
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
