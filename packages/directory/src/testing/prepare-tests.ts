import { findProgram } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { type FrontEnd, warn } from "../front-end.ts";
import { prepareRun } from "../opening/prepare-run.ts";
import type { RunOptions } from "../opening/run-options.ts";
import { readRunnable } from "../reading/read-directory.ts";
import { plainLine } from "../text.ts";
import type { TrustOptions } from "../trust/ensure-trust.ts";
import { ensureTrust } from "../trust/ensure-trust.ts";
import { exampleCases } from "./example-cases.ts";
import { recordingCases } from "./recording-cases.ts";
import type { TestCase, TestRun, TestSource } from "./run-cases.ts";

/** Options for choosing and running tests. */
export interface TestRequest {
  readonly run: Omit<RunOptions, "cwd" | "workspace">;
  /** The working directory of tools. Absolute. Default: the agent directory. */
  readonly cwd?: string;
  /** Whether the tools of recorded sessions run again. */
  readonly isLive: boolean;
  /** Only tests whose subject or name contains this text, ignoring case. */
  readonly filter?: string;
}

export interface PreparedTests {
  /** Without its modules. */
  readonly directory: AgentDirectory;
  readonly tests: readonly TestCase[];
}

/**
 * Finds the tests of a trusted directory. Blocks the network for their tools, or warns that it cannot. Rejects
 * with `DirectoryError`, and as `readTrusted` does.
 */
export async function prepareTests(
  { run: given, cwd, isLive, filter }: TestRequest,
  { frontEnd, signal, askTrust }: TrustOptions,
): Promise<PreparedTests> {
  const whole = await readRunnable(given.directory, frontEnd);
  const directory = withoutModules(whole);
  // No current folder of the user, so that results do not depend on where tests are started.
  const workspace = cwd ?? directory.path;
  const options = { ...given, isEphemeral: true, cwd: workspace, workspace };
  const run = await prepareRun(options, directory, frontEnd);
  const offline = await withoutNetwork(directory.path, frontEnd);
  const tests = await findTests({ whole, isLive, run, frontEnd: offline ?? frontEnd }, filter);
  await ensureTrust(whole, frontEnd, { once: given.isTrusted, signal, ask: askTrust });
  if (signal.aborted) throw new DirectoryError("interrupted");
  if (offline === undefined) warn(frontEnd)("the tests can reach the network: blocking it needs bubblewrap (bwrap)");
  return { directory, tests };
}

/** Tests run only tools of agent.mdx: modules could reach the network from this process. */
function withoutModules({ definition, ...directory }: AgentDirectory): AgentDirectory {
  return { ...directory, definition: { ...definition, modules: [] } };
}

/** The sources of tests, in running order. */
const SOURCES: readonly TestSource[] = [exampleCases, recordingCases];

const HOW_TO =
  "write an <Example> into a <Tool> of agent.mdx: " +
  'a block of ```json with {"arguments": {…}, "result": "…"} between <Example> and </Example>, ' +
  "or keep a session as a test: mdx-ai sessions DIR export ID --format jsonl --output DIR/tests/NAME.jsonl";

/** The tests of an agent directory whose subject or name contains `filter`. Rejects with `DirectoryError` ("untested") if there are none. */
async function findTests(run: TestRun, filter = ""): Promise<readonly TestCase[]> {
  const found = (await Promise.all(SOURCES.map((source) => source(run)))).flat();
  if (found.length === 0) throw new DirectoryError("untested", `no tests found; ${HOW_TO}`);
  const wanted = filter.toLowerCase();
  const chosen = found.filter(({ subject, name }) => `${subject}: ${name}`.toLowerCase().includes(wanted));
  if (chosen.length > 0) return chosen;
  const names = found.slice(0, 10).map(({ subject, name }) => plainLine(`${subject}: ${name}`));
  const more = found.length > names.length ? ", …" : "";
  throw new DirectoryError(
    "untested",
    `no test name contains ${JSON.stringify(filter)}; the tests are: ${names.join(", ")}${more}`,
  );
}

/** A separate network with only a loopback; everything else is shared. */
const FLAGS = ["--unshare-net", "--dev-bind", "/", "/", "--"] as const;

/**
 * The same front end with tools that reach only their own loopback network, by bubblewrap; undefined
 * if bubblewrap is not installed or cannot run.
 */
async function withoutNetwork(agentDir: string, frontEnd: FrontEnd): Promise<FrontEnd | undefined> {
  const { environment, currentDirectory } = frontEnd;
  const program = findProgram("bwrap", { environment, outside: [agentDir], cwd: currentDirectory });
  if (program === undefined) return undefined;
  const command = [program, ...FLAGS];
  if (!(await works([...command, "/bin/sh", "-c", ":"]))) return undefined;
  return { ...frontEnd, toolNetwork: "none" };
}

async function works(command: readonly string[]): Promise<boolean> {
  try {
    const child = Bun.spawn([...command], { stdio: ["ignore", "ignore", "ignore"] });
    return (await child.exited) === 0;
  } catch {
    // It is not executable, or the system cannot start another process.
    return false;
  }
}
