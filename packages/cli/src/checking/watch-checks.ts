import { type DirectoryCheck, watchChecks } from "@mdx-ai/directory/checking";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { checkReport, checkText, missingTypeScriptText } from "./check-text.ts";

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Prints each check as a line of JSON. */
  readonly isJson: boolean;
  readonly isStrict: boolean;
}

/** Clears the screen and keeps the scrollback. */
const CLEAR = "\u001b[2J\u001b[H";

/** Shows the checks of a directory now and after every change, until the signal fires or the output is closed. Returns the exit code. */
export async function showChecks(
  path: string,
  context: CommandContext,
  { signal, isJson, isStrict }: WatchOptions,
): Promise<number> {
  const { stdout, stderr, interruption } = context;
  const stop = AbortSignal.any([signal, stdout.closed]);
  const clears = stdout.isTerminal && !isJson;
  let warned = "";
  for await (const watched of watchChecks(path, context, { signal: stop, isStrict })) {
    if (watched.check === undefined) {
      stderr.write(`mdx-ai: ${plainLine(watched.failure)}\n`);
      continue;
    }
    const { check, milliseconds } = watched;
    const warning = missingTypeScriptText(check, context);
    if (clears) stdout.write(CLEAR + warning);
    else if (warning !== warned) stderr.write(warning);
    warned = warning;
    stdout.write(isJson ? `${jsonText(checkReport(check))}\n` : screenText(path, context, { check, milliseconds }));
  }
  return interruption.exitCode ?? EXIT_CODE.done;
}

interface TimedCheck {
  readonly check: DirectoryCheck;
  readonly milliseconds: number;
}

function screenText(path: string, context: CommandContext, { check, milliseconds }: TimedCheck): string {
  const time = new Date().toTimeString().slice(0, 8);
  const { paint } = context;
  const seconds = (milliseconds / 1000).toFixed(1);
  const foot = paint("dim", `${time} checked in ${seconds} s; watching, Ctrl+C stops`);
  return `${checkText(check, context, { given: path })}${foot}\n`;
}
