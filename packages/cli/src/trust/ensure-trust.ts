import { realpathSync } from "node:fs";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { UntrustedError } from "../failures/untrusted-error.ts";
import { isTerminal } from "../output/output.ts";
import { plainLine } from "../plain-text.ts";
import { contentsLine } from "./directory-contents.ts";
import { changeTrustFile, readTrustFile } from "./trust-file.ts";
import { holdsTrustFile, trustFile } from "./trust-place.ts";

/**
 * Returns where the user trusts the directory, or says so when asked on a terminal; `once` is `--trust`.
 * Rejects with `UntrustedError` otherwise, with `InterruptedError` where the question is broken off.
 */
export async function ensureTrust(
  directory: AgentDirectory,
  context: CommandContext,
  { once, signal }: { readonly once: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (once || isTrusted(directory.path, context)) return;
  const path = realpathSync.native(directory.path);
  const untrusted = new UntrustedError(path, contentsLine(directory.definition));
  if (!isTerminal(0) || !context.stderr.isTerminal) throw untrusted;
  const { askTrust } = await import("./ask-trust.ts");
  const file = usableTrustFile(path, context);
  const answer = await askTrust({ path, definition: directory.definition, canKeep: file !== undefined, signal });
  if (answer === "no") throw untrusted;
  if (answer === "always" && file !== undefined) await trustFromNowOn(file, path, context);
}

/** Whether the user's list names the real path of a directory. */
export function isTrusted(directory: string, context: CommandContext): boolean {
  const path = realpathSync.native(directory);
  const file = usableTrustFile(path, context);
  if (file === undefined) return false;
  return readTrustFile(file, warn(context)).has(path);
}

/** Puts a real path on the list. */
export function trustFromNowOn(file: string, path: string, context: CommandContext): Promise<void> {
  const since = new Date().toISOString();
  return changeTrustFile(file, (trusted) => trusted.set(path, since), warn(context));
}

/** The list, unless there is none or it lies within the directory itself, which must not grant itself trust. */
export function usableTrustFile(path: string, context: CommandContext): string | undefined {
  const file = trustFile(context.environment);
  return file === undefined || holdsTrustFile(path, file) ? undefined : file;
}

/** Tells a warning on standard error. */
export const warn =
  (context: CommandContext) =>
  (message: string): void =>
    context.stderr.write(`mdx-ai: warning: ${plainLine(message)}\n`);
