import type { Diagnostic } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { type FrontEnd, type Notice, processFrontEnd } from "../front-end.ts";
import { readTrusted, type TrustOptions } from "../trust/ensure-trust.ts";
import type { OpenDirectory, OpenOptions } from "./open-options.ts";
import { openRun } from "./open-run.ts";
import { prepareRun } from "./prepare-run.ts";
import { plainRun, type RunOptions } from "./run-options.ts";

export interface OpenDirectoryOptions extends Partial<Omit<OpenOptions & TrustOptions, "frontEnd">> {
  /** Overrides of this process's environment variables and current folder. */
  readonly frontEnd?: Partial<FrontEnd>;
  /** The user's options for the run; none by default. */
  readonly run?: Partial<Omit<RunOptions, "directory">>;
}

/**
 * Opens the agent of a directory: reads it, ensures that the user trusts it, prepares the run, and opens the agent.
 * Rejects as `readTrusted`, `prepareRun` and `openRun` do.
 */
export async function openDirectory(
  path: string,
  { run: said, askTrust, ...given }: OpenDirectoryOptions = {},
): Promise<OpenDirectory> {
  const shown = { ...processFrontEnd(), ...given.frontEnd };
  let mistakes: readonly Diagnostic[] = [];
  const onNotice = (notice: Notice): void => {
    if (notice.type === "diagnostics_found") mistakes = notice.directory.diagnostics;
    shown.onNotice(notice);
  };
  const frontEnd = { ...shown, onNotice };
  const options = { signal: new AbortController().signal, ...given, frontEnd };
  const workspace = said?.cwd === undefined ? {} : { workspace: said.cwd };
  const run = { ...plainRun(path, frontEnd.currentDirectory), ...workspace, ...said };
  const directory = await readTrusted(run, { ...options, askTrust }).catch((error: unknown) => {
    throw withMistake(error, mistakes);
  });
  return openRun(await prepareRun(run, directory, frontEnd), options);
}

/** The error of a directory with mistakes, with the first one: a program may not show the notice about them. */
function withMistake(error: unknown, mistakes: readonly Diagnostic[]): unknown {
  const first = mistakes.find(({ severity }) => severity === "error");
  if (first === undefined || !(error instanceof DirectoryError) || error.problem !== "invalid") return error;
  const { file, line, column, message, hint } = first;
  const text = `${error.message}: ${file}:${line}:${column} ${message}${hint === undefined ? "" : `; ${hint}`}`;
  return new DirectoryError("invalid", text, { cause: error });
}
