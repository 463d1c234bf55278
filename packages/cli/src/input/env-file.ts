import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { UsageError } from "../failures/usage-error.ts";

/**
 * Puts the variables of a file into the environment of this run. What is set already stays, as is usual.
 * Throws `UsageError` where the file cannot be read.
 */
export function loadEnvFile(file: string, currentDirectory: string): void {
  const variables = parseEnv(readEnvFile(resolve(currentDirectory, file)));
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
}

function readEnvFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--env-file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
