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

/** The tests to run, and how they run. */
export interface TestRequest {
  readonly run: Omit<RunOptions, "cwd" | "workspace">;
  /** The folder in which tools run, absolute; by default the agent directory. */
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
  { frontEnd, signal, askTrust }: TrustOptions,
): Promise<PreparedTests> {
  const whole = await readRunnable(given.directory, frontEnd);
  const directory = withoutModules(whole);
  // Without a folder of the user's, tests give the same results wherever they are started.
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

/** Tests run tools of agent.mdx alone: modules could reach the network from within this process. */
function withoutModules({ definition, ...directory }: AgentDirectory): AgentDirectory {
  return { ...directory, definition: { ...definition, modules: [] } };
}

/** The sources of tests, in the order in which they run. */
const SOURCES: readonly TestSource[] = [exampleCases, recordingCases];

const HOW_TO =
  "write an <Example> into a <Tool> of agent.mdx: " +
  'a block of ```json with {"arguments": {…}, "result": "…"} between <Example> and </Example>, ' +
  "or keep a session as a test: mdx-ai sessions DIR export ID --format jsonl --output DIR/tests/NAME.jsonl";

/** The tests of an agent directory whose subject or name holds `filter`. Rejects with `DirectoryError` ("untested") if there is none. */
async function findTests(run: TestRun, filter = ""): Promise<readonly TestCase[]> {
  const found = (await Promise.all(SOURCES.map((source) => source(run)))).flat();
  if (found.length === 0) throw new DirectoryError("untested", `there is nothing to test; ${HOW_TO}`);
  const wanted = filter.toLowerCase();
  const chosen = found.filter(({ subject, name }) => `${subject}: ${name}`.toLowerCase().includes(wanted));
  if (chosen.length > 0) return chosen;
  const names = found.slice(0, 10).map(({ subject, name }) => plainLine(`${subject}: ${name}`));
  const more = found.length > names.length ? ", …" : "";
  throw new DirectoryError(
    "untested",
    `there is nothing to test: no test name contains ${JSON.stringify(filter)}; there are: ${names.join(", ")}${more}`,
  );
}

/** A network of its own with a loopback only; everything else is as outside. */
const FLAGS = ["--unshare-net", "--dev-bind", "/", "/", "--"] as const;

/**
 * The same surroundings with tools of an agent directory that reach no network but their own loopback, by bubblewrap; undefined
 * if bubblewrap is not installed or not allowed to run.
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
    // It may not be executed, or the system has no room for another process.
    return false;
  }
}
