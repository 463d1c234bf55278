import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type AgentRun, NEW_SESSION, type PermissionFlags, type Surroundings } from "@mdx-ai/directory";
import { permissionPattern, type SandboxMode } from "@mdx-ai/parser";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";
import { readModelChoice } from "./model-flags.ts";
import { numberOption } from "./number-option.ts";

type Place = Pick<Surroundings, "currentDirectory">;

/** The command line of a run, checked as far as possible without reading the directory. Throws `UsageError`. */
export function readAgentRun(args: ParsedArguments, place: Place): AgentRun {
  const session = args.values.get("session");
  const data = dataOption(args, place);
  const maxTurns = numberOption(args, { name: "max-turns", minimum: 1, isWhole: true });
  const cwd = workingDirectory(args, place);
  checkSessionWords(args);
  return {
    directory: args.positionals[0] ?? ".",
    cwd,
    ...(args.values.has("cwd") && { workspace: cwd }),
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

/** Where the user is: `--cwd`, else the current folder. */
function workingDirectory({ values }: ParsedArguments, { currentDirectory }: Place): string {
  const given = values.get("cwd") ?? ".";
  const path = resolve(currentDirectory, given);
  if (given !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--cwd ${given === "" ? '""' : path} is not a folder`);
}

/** `--data`, absolute; undefined if it is not given. Throws `UsageError`. */
export function dataOption(
  { values }: ParsedArguments,
  { currentDirectory }: Pick<Surroundings, "currentDirectory">,
): string | undefined {
  const given = values.get("data");
  if (given === "") throw new UsageError('--data needs a folder, and got ""');
  return given === undefined ? undefined : resolve(currentDirectory, given);
}

/** Throws `UsageError` if the options about sessions contradict each other. */
function checkSessionWords({ values, switches }: ParsedArguments): void {
  const session = values.get("session");
  const named = [
    ...(session === undefined ? [] : ["--session"]),
    ...(switches.has("continue") ? ["--continue"] : []),
    ...(switches.has("resume") ? ["--resume"] : []),
    ...(switches.has("wait") ? ["--wait"] : []),
  ];
  if (switches.has("ephemeral") && named.length > 0) {
    throw new UsageError(`--ephemeral keeps no session, so ${named[0]} has no effect; leave one out`);
  }
  if (session === undefined) return;
  if (switches.has("continue")) throw new UsageError("--session and --continue name two sessions; leave one out");
  if (session === NEW_SESSION && switches.has("resume")) {
    throw new UsageError("a new session has nothing to resume; name another one with --session ID");
  }
}

export const SANDBOX_MODES: readonly SandboxMode[] = ["auto", "required", "off"];

/** The permissions and the containment of a command line. Throws `UsageError`. */
export function readPermissionFlags(args: ParsedArguments): PermissionFlags {
  const sandboxMode = readMode(args.values.get("sandbox"));
  return {
    allow: patterns(args, "allow"),
    deny: patterns(args, "deny"),
    allowsAll: args.switches.has("allow-all"),
    ...(sandboxMode !== undefined && { sandboxMode }),
  };
}

/** A denial that matches nothing would have no effect, so every pattern must have a valid form. */
function patterns({ lists }: ParsedArguments, name: string): readonly string[] {
  const given = lists.get(name) ?? [];
  const malformed = given.find((text) => permissionPattern(text) === undefined);
  if (malformed === undefined) return given;
  throw new UsageError(
    `--${name} needs a pattern such as bash, 'bash(git *)', 'write_file(out/**)' or 'mcp.*', and got ${JSON.stringify(malformed)}`,
  );
}

function readMode(text: string | undefined): SandboxMode | undefined {
  if (text === undefined) return undefined;
  const mode = SANDBOX_MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new UsageError(`--sandbox needs auto, required or off, and got ${JSON.stringify(text)}`);
}
