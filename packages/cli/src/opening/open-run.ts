import { join } from "node:path";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent, type TrustedCode } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import { InterruptedError } from "../failures/interrupted-error.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { codeHashes, importedHash, shadowingFiles, trustedFiles } from "../manifest/trusted-files.ts";
import { divertConsole } from "../output/module-console.ts";
import { type RunPermissions, runPermissions } from "../settings/run-permissions.ts";
import { ensureTrust } from "../trust/ensure-trust.ts";
import type { AgentRun } from "./agent-run.ts";
import { openModels, openNoModel } from "./open-models.ts";
import { readRunnable } from "./read-directory.ts";

/**
 * Reads the directory, then makes sure that the user trusts it. Rejects if either fails, and with `InterruptedError` if `signal` has
 * fired.
 */
export async function readTrusted(
  run: AgentRun,
  context: CommandContext,
  signal: AbortSignal,
): Promise<TrustedDirectory> {
  const directory = await readRunnable(run.directory, context);
  const manifest = await ensureTrust(directory, context, { once: run.isTrusted, signal });
  if (signal.aborted) throw new InterruptedError();
  return { ...directory, manifest };
}

/** A directory that the user trusts. */
export interface TrustedDirectory extends AgentDirectory {
  /** What that trust covers. */
  readonly manifest: Manifest;
}

/** The code that the user's trust covers; none for a directory that runs nothing. */
export const trustOf = (directory: AgentDirectory | TrustedDirectory): Pick<AgentOptions, "trusted"> =>
  "manifest" in directory ? { trusted: trustedCode(directory) } : {};

const trustedCode = ({ path, manifest }: TrustedDirectory): TrustedCode => ({
  files: [...trustedFiles(manifest), ...shadowingFiles(manifest)],
  tools: codeHashes(manifest),
  modules: importedHash(manifest),
  imports: {
    hashes: manifest.hashes,
    links: manifest.links.map((link) => join(path, link)),
    absent: manifest.shadows.map((shadow) => join(path, shadow)),
  },
});

/** Who receives events and questions, whether the heartbeat runs, and whether prompts resume what is foreign. */
type RunListeners = Pick<
  AgentOptions,
  "onWarning" | "onBackgroundEvent" | "onApproval" | "refresh" | "wakes" | "resumesForeign"
>;

export interface OpenRunOptions extends RunListeners {
  readonly context: CommandContext;
  /** No model will be called, so that no configuration is needed. */
  readonly isModelless?: boolean;
  /** What `runPermissions` gave, if it was called already. */
  readonly permitted?: RunPermissions;
}

/** Opens the models, then the agent. Rejects as `runPermissions`, `openModels` and `openAgent` do. */
export async function openRun(
  run: AgentRun,
  directory: AgentDirectory | TrustedDirectory,
  { context, isModelless = false, permitted, ...listeners }: OpenRunOptions,
): Promise<Agent> {
  const { environment, toolHostCommand, toolNetwork } = context;
  const permissions = permitted ?? (await runPermissions(run, directory, context));
  const { notices, ...models } = isModelless
    ? await openNoModel(environment)
    : await openModels(run, directory, context);
  for (const notice of notices) listeners.onWarning?.(notice);
  const { onWarning } = listeners;
  if (directory.definition.modules.length > 0 && onWarning !== undefined) divertConsole(onWarning);
  return openAgent({
    directory,
    ...models,
    ...permissions,
    ...trustOf(directory),
    ...(run.data !== undefined && { dataDirectory: run.data }),
    cwd: run.cwd,
    toolHostCommand,
    ...(toolNetwork !== undefined && { toolNetwork }),
    environment,
    ephemeral: run.isEphemeral,
    ...(run.maxTurns !== undefined && { maxTurns: run.maxTurns }),
    ...(run.session !== undefined && { session: run.session }),
    ...listeners,
  });
}
