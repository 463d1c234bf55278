import { processSurroundings, type Surroundings } from "../surroundings.ts";
import { readTrusted, type TrustOptions } from "../trust/ensure-trust.ts";
import { type OpenDirectory, type OpenOptions, openRun } from "./open-run.ts";
import { prepareRun } from "./prepare-run.ts";
import { plainRun, type RunOptions } from "./run-options.ts";

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
