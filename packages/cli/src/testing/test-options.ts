import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption } from "../arguments/number-option.ts";
import { UsageError } from "../failures/program-error.ts";

const DEFAULT_JOBS = 2;
const MOST_JOBS = 64;

/** What the command line says of a run of tests. */
export interface TestOptions {
  /** How many run at once. */
  readonly jobs: number;
  readonly isJson: boolean;
  /** Whether the tools of recorded sessions run again. */
  readonly isLive: boolean;
  /** Only tests whose subject or name holds this text, in whatever case. */
  readonly filter?: string;
  /** The file of `--junit`, as the user wrote it. */
  readonly junit?: string;
}

/** Throws `UsageError`. */
export function readTestOptions(args: ParsedArguments): TestOptions {
  const jobs = numberOption(args, { name: "jobs", minimum: 1, maximum: MOST_JOBS, isWhole: true }) ?? DEFAULT_JOBS;
  const filter = args.values.get("filter");
  const junit = args.values.get("junit");
  if (junit === "") throw new UsageError('--junit needs a file, and got ""');
  return {
    jobs,
    isJson: args.switches.has("json"),
    isLive: args.switches.has("live-tools"),
    ...(filter === undefined ? {} : { filter }),
    ...(junit === undefined ? {} : { junit }),
  };
}
