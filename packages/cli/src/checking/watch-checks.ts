import { type DirectoryCheck, watchChecks } from "@mdx-ai/directory/checking";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { createPaint } from "../output/paint.ts";
import { checkReport, checkText, MISSING_TYPESCRIPT } from "./check-text.ts";

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Prints each check as a line of JSON. */
  readonly isJson: boolean;
}

/** Clears the screen and keeps the scrollback. */
const CLEAR = "\u001b[2J\u001b[H";

/** Shows the checks of a directory now and after every change, until the signal fires or the output is closed. Returns the exit code. */
export async function showChecks(
  path: string,
  context: CommandContext,
  { signal, isJson }: WatchOptions,
): Promise<number> {
  const stop = AbortSignal.any([signal, context.stdout.closed]);
  for await (const watched of watchChecks(path, context, stop)) {
    if (watched.check === undefined) context.stderr.write(`mdx-ai: ${plainLine(watched.failure)}\n`);
    else show(watched.check, watched.milliseconds, { context, isJson });
  }
  return context.interruption.exitCode ?? EXIT_CODE.done;
}

function show(
  check: DirectoryCheck,
  milliseconds: number,
  { context, isJson }: { readonly context: CommandContext; readonly isJson: boolean },
): void {
  const { stdout, stderr, environment } = context;
  if (check.lacksTypeScript) stderr.write(MISSING_TYPESCRIPT);
  if (isJson) {
    stdout.write(`${jsonText(checkReport(check))}\n`);
    return;
  }
  const time = new Date().toTimeString().slice(0, 8);
  const paint = createPaint(stdout, environment);
  const head = paint("dim", `${time} checked in ${(milliseconds / 1000).toFixed(1)} s; watching, Ctrl+C ends`);
  const body = checkText(check, context);
  stdout.write(`${stdout.isTerminal ? CLEAR : ""}${body}${head}\n`);
}
