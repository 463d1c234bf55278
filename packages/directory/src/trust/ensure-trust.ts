import { shellWord, visibleText } from "@mdx-ai/base";
import type { AgentDirectory } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import { changeLine } from "../manifest/difference.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readRunnable } from "../reading/read-directory.ts";
import { steadily } from "../reading/steady-read.ts";
import { contentsLine } from "./directory-contents.ts";
import {
  changesSinceTrust,
  keepTrust,
  type TrustState,
  trustedPath,
  trustRecordOf,
  usableTrustFile,
} from "./trust-state.ts";
import type { TrustedDirectory } from "./trusted-directory.ts";

export type TrustAnswer = "once" | "always" | "no";

export interface TrustQuestion {
  /** The real path of the directory, or of a single-file agent's file. */
  readonly path: string;
  readonly state: TrustState;
  /** Whether the answer can be stored. */
  readonly canKeep: boolean;
  /** Withdraws the question. */
  readonly signal: AbortSignal;
}

/** Asks the user whether a directory may run its code. May reject, for example once the signal fires. */
export type AskTrust = (question: TrustQuestion) => Promise<TrustAnswer>;

/** Options for reading a directory before it runs. */
export interface TrustOptions {
  readonly frontEnd: FrontEnd;
  /** Aborts the current work. */
  readonly signal: AbortSignal;
  /** Absent if the user cannot be asked: an untrusted directory is then refused. */
  readonly askTrust?: AskTrust | undefined;
}

/** The agent of a run, and whether the user trusts it for this run. */
interface TrustingRun {
  readonly directory: string;
  readonly isTrusted: boolean;
}

/**
 * Reads a directory, then ensures that the user trusts it. Rejects if either fails, and with `DirectoryError` ("interrupted")
 * if the signal has fired.
 */
export async function readTrusted(
  run: TrustingRun,
  { frontEnd, signal, askTrust }: TrustOptions,
): Promise<TrustedDirectory> {
  const read = async (): Promise<TrustedDirectory> => {
    const directory = await readRunnable(run.directory, frontEnd);
    const manifest = await ensureTrust(directory, frontEnd, { once: run.isTrusted, signal, ask: askTrust });
    return { ...directory, manifest };
  };
  const trusted = await steadily(run.directory, frontEnd, read);
  if (signal.aborted) throw new DirectoryError("interrupted");
  return trusted;
}

export interface EnsureTrustOptions {
  /** The user trusts the directory for this run. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  /** Absent if the user cannot be asked. */
  readonly ask?: AskTrust | undefined;
}

/**
 * Resolves to the contents of a directory if the user trusts it already, or when asked. Otherwise rejects with `DirectoryError`:
 * "untrusted" or "too_large"; or as `ask` does.
 */
export async function ensureTrust(
  directory: AgentDirectory,
  frontEnd: FrontEnd,
  { once, signal, ask }: EnsureTrustOptions,
): Promise<Manifest> {
  if (once) return readManifest(directory);
  const state = await changesSinceTrust(directory, frontEnd);
  if (state.isTrusted) return state.manifest;
  const { keepAgreed } = await import("./agreed-edit.ts");
  if (await keepAgreed(directory, state.manifest, frontEnd)) return state.manifest;
  const path = trustedPath(directory);
  if (ask !== undefined) await askForTrust({ path, state, signal, ask }, frontEnd);
  else {
    const changes = state.changes.map(changeLine);
    if (changes.length > 0) frontEnd.onNotice({ type: "trust_changed", changes });
    throw untrusted(path, state);
  }
  return state.manifest;
}

/** The contents of a directory whose current state is on the trust list; undefined if it is not. Rejects with `DirectoryError` ("too_large"). */
export async function trustedManifest(directory: AgentDirectory, frontEnd: FrontEnd): Promise<Manifest | undefined> {
  const { isTrusted, manifest } = await changesSinceTrust(directory, frontEnd);
  return isTrusted ? manifest : undefined;
}

interface Asking {
  /** The real path. */
  readonly path: string;
  readonly state: TrustState;
  readonly signal: AbortSignal;
  readonly ask: AskTrust;
}

async function askForTrust({ path, state, signal, ask }: Asking, frontEnd: FrontEnd): Promise<void> {
  const file = usableTrustFile(path, frontEnd);
  const answer = await ask({ path, state, canKeep: file !== undefined, signal });
  if (answer === "no") throw untrusted(path, state);
  if (answer === "always" && file !== undefined) {
    await keepTrust({ file, path, record: trustRecordOf(state.manifest) }, frontEnd);
  }
}

function untrusted(path: string, state: TrustState): DirectoryError {
  return new DirectoryError(
    "untrusted",
    `${path} ${reason(state)}; allow this run with --trust, or every run with: mdx-ai trust ${shellWord(path)}`,
  );
}

function reason({ changes, manifest }: TrustState): string {
  const first = changes[0];
  if (first === undefined) return `is not trusted, and an agent runs its own code (${contentsLine(manifest)})`;
  const more = changes.length === 1 ? "" : ` and ${changes.length - 1} more`;
  return `has changed since it was trusted (${visibleText(first.name)}${more})`;
}
