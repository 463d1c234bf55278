import { join, resolve } from "node:path";
import { type AgentDirectory, type Diagnostic, readAgentDirectory } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { InvalidDirectoryError } from "../failures/invalid-directory-error.ts";
import { cacheDirectory, isWithin, realFolder } from "../places/user-directories.ts";
import { countDiagnostics, showDiagnostics } from "./diagnostics-text.ts";

/** Reads an agent directory as `check` and every run do. */
export function readDirectory(directory: string, context: CommandContext): Promise<AgentDirectory> {
  const path = resolve(context.currentDirectory, directory);
  const cache = cacheDirectory(context.environment);
  // In the reach of the agent's own tools a cache could be poisoned.
  const isSafe = cache !== undefined && !isWithin(realFolder(path), realFolder(cache));
  const options = isSafe ? { cacheDirectory: join(cache, "definitions") } : {};
  return context.interruption.unheard(() => readAgentDirectory(path, options));
}

/** Rules about what is not there at all, which have no place in a file. */
const ABSENCES: readonly string[] = ["directory-missing", "file-missing"];

/**
 * Reads a directory that is to run, and shows its diagnostics on standard error.
 * Rejects with `InvalidDirectoryError` where one is an error.
 */
export async function readRunnable(directory: string, context: CommandContext): Promise<AgentDirectory> {
  const read = await readDirectory(directory, context);
  if (read.diagnostics.length === 0) return read;
  const absence = read.diagnostics.find(({ rule }) => ABSENCES.includes(rule));
  if (absence !== undefined) throw new InvalidDirectoryError(absenceText(directory, absence));
  context.stderr.write(showDiagnostics(read, { context, output: context.stderr, isShort: true }));
  const { errors } = countDiagnostics(read.diagnostics);
  if (errors === 0) return read;
  throw new InvalidDirectoryError(
    `${directory} cannot run before ${errors === 1 ? "its error is" : `its ${errors} errors are`} fixed`,
  );
}

const absenceText = (directory: string, { message, hint }: Diagnostic): string =>
  `${directory} is no agent directory: ${message}${hint === undefined ? "" : `; ${hint}`} (or make one: mdx-ai init DIR)`;
