import { delimiter, isAbsolute } from "node:path";
import { type Environment, isWithin, shortened } from "@mdx-ai/base";
import { findProgram, realPathOrSame, runProgram } from "@mdx-ai/base/disk";
import type { CredentialDefinition } from "@mdx-ai/parser";

/** How long a program may take, which may ask the user to unlock something, in milliseconds. */
const MAX_MILLISECONDS = 120_000;

/** A key cannot be used. The message is a line without a full stop. */
export class KeyMissingError extends Error {
  override readonly name = "KeyMissingError";
}

/** Where keys are. */
export interface KeySource {
  /** The user's variables. */
  readonly environment: Environment;
  /** Folders that the agent, or the sender of its directory, can write to: programs in them are not started. Absolute. */
  readonly outside: readonly string[];
}

/** The key that a command prints, or that the system's keyring holds. Rejects with `KeyMissingError`. */
export async function readStoredKey(
  { command, keyring }: CredentialDefinition,
  { environment, outside }: KeySource,
): Promise<string> {
  const words = command === undefined ? keyringCommand(keyring, { environment, outside }) : ["/bin/sh", "-c", command];
  const what = command === undefined ? "the keyring" : "its command";
  const { exitCode, output, errors } = await runProgram(words, {
    ...{ cwd: "/", environment: safePath(environment, outside), milliseconds: MAX_MILLISECONDS },
  });
  const [complaint = ""] = errors.split("\n");
  if (exitCode !== 0)
    throw new KeyMissingError(`${what} failed: ${shortened(complaint, 200) || `exit code ${exitCode}`}`);
  if (output.trim() === "") throw new KeyMissingError(`${what} has no key`);
  return output;
}

function keyringCommand(
  { service = "", account }: NonNullable<CredentialDefinition["keyring"]> = { service: "" },
  { environment, outside }: KeySource,
): readonly string[] {
  const isMac = process.platform === "darwin";
  const name = isMac ? "security" : "secret-tool";
  const program = findProgram(name, { environment, outside });
  if (program === undefined)
    throw new KeyMissingError(
      `${name}, which reads the keyring, is not installed${isMac ? "" : " (on Debian and Ubuntu: apt install libsecret-tools)"}`,
    );
  if (isMac)
    return [program, "find-generic-password", "-s", service, ...(account === undefined ? [] : ["-a", account]), "-w"];
  return [program, "lookup", "service", service, ...(account === undefined ? [] : ["account", account])];
}

/** The user's variables. A command finds no program in these folders, or by a relative entry of `PATH`. */
function safePath(environment: Environment, outside: readonly string[]): Environment {
  const entries = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter);
  const folders = outside.map(realPathOrSame);
  const isSafe = (entry: string): boolean =>
    isAbsolute(entry) && !folders.some((folder) => isWithin(folder, realPathOrSame(entry)));
  return { ...environment, PATH: entries.filter(isSafe).join(delimiter) };
}
