import type { AgentDirectory } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { AgentRun } from "../opening/agent-run.ts";
import { dataOfRun } from "../opening/data-directory.ts";
import type { Opener } from "../opening/read-trusted.ts";
import { readRunnable } from "../reading/read-directory.ts";
import { warn } from "../surroundings.ts";
import { ensureTrust } from "../trust/ensure-trust.ts";
import { findTests } from "./find-tests.ts";
import type { TestCase } from "./test-case.ts";
import { withoutNetwork } from "./without-network.ts";

/** Which tests are wanted, and how they run. */
export interface TestRequest {
  readonly run: Omit<AgentRun, "cwd">;
  /** Where tools work, absolute; by default the agent directory. */
  readonly cwd?: string;
  /** Whether the tools of recorded sessions run again. */
  readonly isLive: boolean;
  /** Only tests whose subject or name holds this text, in whatever case. */
  readonly filter?: string;
}

export interface PreparedTests {
  /** Without its modules. */
  readonly directory: AgentDirectory;
  readonly tests: readonly TestCase[];
}

/**
 * Finds the tests of a directory that the user trusts. Their tools reach no network, or a warning says that they do. Rejects
 * with `DirectoryError`, and as `readTrusted` does.
 */
export async function prepareTests(
  { run: given, cwd, isLive, filter }: TestRequest,
  { surroundings, signal, askTrust }: Opener,
): Promise<PreparedTests> {
  const whole = await readRunnable(given.directory, surroundings);
  const directory = withoutModules(whole);
  const run = { ...given, isEphemeral: true, cwd: cwd ?? directory.path };
  if (run.data !== undefined) dataOfRun(run, whole, surroundings);
  const offline = await withoutNetwork(directory.path, surroundings);
  const tests = await findTests({ directory, whole, isLive, run, surroundings: offline ?? surroundings }, filter);
  await ensureTrust(whole, surroundings, { once: run.isTrusted, signal, ask: askTrust });
  if (signal.aborted) throw new DirectoryError("interrupted");
  if (offline === undefined)
    warn(surroundings)("the network is not held back from the tests: that needs bubblewrap (bwrap)");
  return { directory, tests };
}

/** Tests run tools of agent.mdx alone: modules could reach the network from within this process. */
function withoutModules({ definition, ...directory }: AgentDirectory): AgentDirectory {
  return { ...directory, definition: { ...definition, modules: [] } };
}
