import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentRun, Surroundings } from "@mdx-ai/directory";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";
import { dataOption } from "./data-option.ts";
import { readModelChoice } from "./model-flags.ts";
import { numberOption } from "./number-option.ts";
import { readPermissionFlags } from "./permission-flags.ts";
import { checkSessionWords } from "./session-words.ts";

type Place = Pick<Surroundings, "currentDirectory">;

/** The command line of a run, checked as far as possible without reading the directory. Throws `UsageError`. */
export function readAgentRun(args: ParsedArguments, place: Place): AgentRun {
  const session = args.values.get("session");
  const data = dataOption(args, place);
  const maxTurns = numberOption(args, { name: "max-turns", minimum: 1, isWhole: true });
  checkSessionWords(args);
  return {
    directory: args.positionals[0] ?? ".",
    cwd: workingDirectory(args, place),
    isTrusted: args.switches.has("trust"),
    isEphemeral: args.switches.has("ephemeral"),
    isContinued: args.switches.has("continue"),
    isResumed: args.switches.has("resume"),
    isWaiting: args.switches.has("wait"),
    ...(session !== undefined && { session }),
    ...(data !== undefined && { data }),
    ...readModelChoice(args),
    ...readPermissionFlags(args),
    ...(maxTurns !== undefined && { maxTurns }),
  };
}

/** Where tools work: `--cwd`, else the current folder. */
function workingDirectory({ values }: ParsedArguments, { currentDirectory }: Place): string {
  const given = values.get("cwd") ?? ".";
  const path = resolve(currentDirectory, given);
  if (given !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--cwd ${given === "" ? '""' : path} is no folder`);
}
