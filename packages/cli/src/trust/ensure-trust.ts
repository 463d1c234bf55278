import { realpathSync } from "node:fs";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { UntrustedError } from "../failures/untrusted-error.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { changeLine } from "../manifest/manifest-changes.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { isTerminal } from "../output/output.ts";
import { contentsLine } from "./directory-contents.ts";
import { keepTrust, trustRecordOf } from "./keep-trust.ts";
import { changesSinceTrust, type TrustState, usableTrustFile, warn } from "./trust-state.ts";

export { usableTrustFile, warn } from "./trust-state.ts";

export interface EnsureTrustOptions {
  /** `--trust`. */
  readonly once: boolean;
  /** Withdraws a question. */
  readonly signal: AbortSignal;
}

/**
 * Resolves with what a directory contains if the user trusts it, or says so when asked on a terminal. Otherwise rejects with
 * `UntrustedError`, with `ManifestLimitError` if it contains too much, or with `InterruptedError` if the question is aborted.
 */
export async function ensureTrust(
  directory: AgentDirectory,
  context: CommandContext,
  { once, signal }: EnsureTrustOptions,
): Promise<Manifest> {
  if (once) return readManifest(directory, warn(context));
  const state = await changesSinceTrust(directory, context);
  if (!state.isTrusted) await askForTrust(directory, state, { context, signal });
  return state.manifest;
}

/** What a directory contains if the user's list trusts its current state. Rejects with `ManifestLimitError`. */
export async function trustedManifest(
  directory: AgentDirectory,
  context: CommandContext,
): Promise<Manifest | undefined> {
  const { isTrusted, manifest } = await changesSinceTrust(directory, context);
  return isTrusted ? manifest : undefined;
}

interface Asking {
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

async function askForTrust(
  { path: given }: AgentDirectory,
  state: TrustState,
  { context, signal }: Asking,
): Promise<void> {
  const path = realpathSync.native(given);
  const untrusted = new UntrustedError(path, reason(state));
  if (!isTerminal(0) || !context.stderr.isTerminal) {
    for (const change of state.changes) context.stderr.write(`  ${changeLine(change)}\n`);
    throw untrusted;
  }
  const { askTrust } = await import("./ask-trust.ts");
  const file = usableTrustFile(path, context);
  const answer = await askTrust({ path, state, canKeep: file !== undefined, signal });
  if (answer === "no") throw untrusted;
  if (answer === "always" && file !== undefined) {
    await keepTrust({ file, path, record: trustRecordOf(state.manifest) }, context);
  }
}

function reason({ isUnconfirmed, changes, manifest }: TrustState): string {
  if (isUnconfirmed)
    return "was trusted by an older version, which did not record what it contained; that is to be confirmed";
  const first = changes[0];
  if (first === undefined) return `is not trusted, and an agent runs its own code (${contentsLine(manifest)})`;
  const more = changes.length === 1 ? "" : ` and ${changes.length - 1} more`;
  return `has changed since it was trusted (${changeLine(first)}${more})`;
}
