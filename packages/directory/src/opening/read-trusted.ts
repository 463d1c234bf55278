import { DirectoryError } from "../directory-error.ts";
import { readRunnable } from "../reading/read-directory.ts";
import type { Surroundings } from "../surroundings.ts";
import { type AskTrust, ensureTrust } from "../trust/ensure-trust.ts";
import type { TrustedDirectory } from "../trust/trusted-directory.ts";
import type { AgentRun } from "./agent-run.ts";

/** Who opens a directory. */
export interface Opener {
  readonly surroundings: Surroundings;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Absent if nobody can be asked: a directory that is not trusted is then refused. */
  readonly askTrust?: AskTrust | undefined;
}

/**
 * Reads a directory, then makes sure that the user trusts it. Rejects if either fails, and with `DirectoryError` ("interrupted")
 * if the signal has fired.
 */
export async function readTrusted(
  run: Pick<AgentRun, "directory" | "isTrusted">,
  { surroundings, signal, askTrust }: Opener,
): Promise<TrustedDirectory> {
  const directory = await readRunnable(run.directory, surroundings);
  const manifest = await ensureTrust(directory, surroundings, { once: run.isTrusted, signal, ask: askTrust });
  if (signal.aborted) throw new DirectoryError("interrupted");
  return { ...directory, manifest };
}
