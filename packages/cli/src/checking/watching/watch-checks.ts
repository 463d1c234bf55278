import { resolve } from "node:path";
import type { CommandContext } from "../../command-context.ts";
import { EXIT_CODE } from "../../failures/exit-code.ts";
import { jsonText } from "../../output/json-text.ts";
import { createPaint } from "../../output/paint.ts";
import { plainLine } from "../../plain-text.ts";
import { checkDirectory, type DirectoryCheck } from "../check-directory.ts";
import { checkReport, checkText, MISSING_TYPESCRIPT } from "../check-text.ts";
import { TypeCheckError } from "../compiler/run-compiler.ts";
import { Changes, changedSince, filesPrint } from "./changes.ts";
import { watchedFolders, watchedPaths } from "./watched-paths.ts";

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Prints each check as a line of JSON. */
  readonly isJson: boolean;
}

/** Clears the screen and keeps the scrollback. */
const CLEAR = "\u001b[2J\u001b[H";

/** Checks a directory now and after every change, until `signal` fires or the output is closed. Returns the exit code. */
export async function watchChecks(path: string, context: CommandContext, options: WatchOptions): Promise<number> {
  const signal = AbortSignal.any([options.signal, context.stdout.closed]);
  const root = resolve(context.currentDirectory, path);
  const changes = new Changes();
  let seen: SeenPaths = { paths: [root], print: "" };
  try {
    do {
      const start = Date.now();
      const early = { paths: seen.paths, print: filesPrint(seen.paths) };
      const check = await checkOrWarn(path, context, signal);
      if (check !== undefined) show(check, Date.now() - start, { context, isJson: options.isJson });
      seen = seenPaths(check, early, start);
    } while (await changes.next({ ...seen, folders: watchedFolders(root, seen.paths), signal }));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    changes.close();
  }
  return context.interruption.exitCode ?? EXIT_CODE.done;
}

/** If the compiler fails, for example because a file disappeared, reports that and waits for the next change. */
async function checkOrWarn(
  path: string,
  context: CommandContext,
  signal: AbortSignal,
): Promise<DirectoryCheck | undefined> {
  try {
    return await checkDirectory(path, context, signal);
  } catch (error) {
    if (!(error instanceof TypeCheckError)) throw error;
    context.stderr.write(`mdx-ai: ${plainLine(error.message)}\n`);
    return undefined;
  }
}

/** Paths with their state when a check began. */
interface SeenPaths {
  readonly paths: readonly string[];
  readonly print: string;
}

/**
 * The paths to watch from now on, including those from before, since a file may come back. If one changed while the check
 * ran, the state matches nothing, so that another check follows at once.
 */
function seenPaths(check: DirectoryCheck | undefined, before: SeenPaths, start: number): SeenPaths {
  const paths = [...new Set([...(check === undefined ? [] : watchedPaths(check)), ...before.paths])].toSorted();
  const added = paths.filter((path) => !before.paths.includes(path));
  const isSame = filesPrint(before.paths) === before.print && !changedSince(added, start);
  return { paths, print: isSame ? filesPrint(paths) : "changed" };
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
