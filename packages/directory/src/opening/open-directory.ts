import { DirectoryError } from "../directory-error.ts";
import { readRunnable } from "../reading/read-directory.ts";
import { processSurroundings, type Surroundings } from "../surroundings.ts";
import { type AskTrust, ensureTrust } from "../trust/ensure-trust.ts";
import type { TrustedDirectory } from "../trust/trusted-directory.ts";
import { type OpenDirectory, type OpenOptions, openRun } from "./open-run.ts";
import { prepareRun } from "./prepare-run.ts";
import { plainRun, type RunOptions } from "./run-options.ts";

/** How a directory is read before it runs. */
export interface TrustOptions {
  readonly surroundings: Surroundings;
  /** Aborts the current work. */
  readonly signal: AbortSignal;
  /** Absent if nobody can be asked: a directory that is not trusted is then refused. */
  readonly askTrust?: AskTrust | undefined;
}

export interface OpenDirectoryOptions extends Partial<Omit<OpenOptions & TrustOptions, "surroundings">> {
  /** Differences from the variables and the folder of this process. */
  readonly surroundings?: Partial<Surroundings>;
  /** The user's options for the run; none by default. */
  readonly run?: Partial<Omit<RunOptions, "directory">>;
}

/**
 * Opens the agent of a directory: reads it, makes sure that the user trusts it, prepares the run, and opens its agent.
 * Rejects as `readTrusted`, `prepareRun` and `openRun` do.
 */
export async function openDirectory(
  path: string,
  { run: said, askTrust, ...given }: OpenDirectoryOptions = {},
): Promise<OpenDirectory> {
  const surroundings = { ...processSurroundings(), ...given.surroundings };
  const options = { signal: new AbortController().signal, ...given, surroundings };
  const workspace = said?.cwd === undefined ? {} : { workspace: said.cwd };
  const run = { ...plainRun(path, surroundings.currentDirectory), ...workspace, ...said };
  const directory = await readTrusted(run, { ...options, askTrust });
  return openRun(await prepareRun(run, directory, surroundings), options);
}

/**
 * Reads a directory, then makes sure that the user trusts it. Rejects if either fails, and with `DirectoryError` ("interrupted")
 * if the signal has fired.
 */
export async function readTrusted(
  run: Pick<RunOptions, "directory" | "isTrusted">,
  { surroundings, signal, askTrust }: TrustOptions,
): Promise<TrustedDirectory> {
  const directory = await readRunnable(run.directory, surroundings);
  const manifest = await ensureTrust(directory, surroundings, { once: run.isTrusted, signal, ask: askTrust });
  if (signal.aborted) throw new DirectoryError("interrupted");
  return { ...directory, manifest };
}
