import { type FrontEnd, processFrontEnd } from "../front-end.ts";
import { readTrusted, type TrustOptions } from "../trust/ensure-trust.ts";
import { type OpenDirectory, type OpenOptions, openRun } from "./open-run.ts";
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
  const frontEnd = { ...processFrontEnd(), ...given.frontEnd };
  const options = { signal: new AbortController().signal, ...given, frontEnd };
  const workspace = said?.cwd === undefined ? {} : { workspace: said.cwd };
  const run = { ...plainRun(path, frontEnd.currentDirectory), ...workspace, ...said };
  const directory = await readTrusted(run, { ...options, askTrust });
  return openRun(await prepareRun(run, directory, frontEnd), options);
}
