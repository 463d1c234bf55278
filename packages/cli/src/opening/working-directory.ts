import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/usage-error.ts";

/** Where tools work: `--cwd`, else the current folder. Absolute. Throws `UsageError` where that is no folder. */
export function workingDirectory(args: ParsedArguments, context: CommandContext): string {
  const given = args.values.get("cwd") ?? ".";
  const path = resolve(context.currentDirectory, given);
  if (given !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--cwd ${given === "" ? '""' : path} is no folder`);
}
