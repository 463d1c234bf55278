import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "@mdx-ai/runtime/error-message";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";

/**
 * Puts the variables of `--env-file`, if it is given, into the environment of this run. Variables that are already set stay, as usual.
 * Throws `UsageError` if the file cannot be read.
 */
export function loadEnvFile(args: ParsedArguments, context: CommandContext): void {
  const file = args.values.get("env-file");
  if (file === undefined) return;
  // Loaded when needed, as few runs do.
  const { parseEnv } = process.getBuiltinModule("node:util");
  const variables = parseEnv(readEnvFile(resolve(context.currentDirectory, file)));
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  context.keys.learn();
}

function readEnvFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--env-file cannot be read: ${errorMessage(error)}`);
  }
}
