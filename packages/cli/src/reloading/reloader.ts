import type { AgentDirectory } from "@mdx-ai/parser";
import type { AgentChanges } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { ManifestChange } from "../manifest/manifest-changes.ts";
import type { AgentRun } from "../opening/agent-run.ts";
import { countDiagnostics, showDiagnostics } from "../opening/diagnostics-text.ts";
import { openModels } from "../opening/open-models.ts";
import { type TrustedDirectory, trustOf } from "../opening/open-run.ts";
import { readDirectory } from "../opening/read-directory.ts";
import { resolveRun } from "../opening/resolve-run.ts";
import type { TrustAnswer } from "../trust/ask-trust.ts";
import { keepTrustOf } from "../trust/keep-trust.ts";
import { changesSinceTrust } from "../trust/trust-state.ts";

/** Receives the results of a reload, and asks the user. */
export interface ReloadListener {
  /** The agent now matches its files. */
  reloaded(): void;
  /** The files have errors, so the agent stays as it was; called once for the same errors. Untrusted text of several lines. */
  broken(diagnostics: string): void;
  /** Asks whether changed code may run. Rejects once `signal` fires. */
  askTrust(changes: readonly ManifestChange[], signal: AbortSignal): Promise<TrustAnswer>;
}

export interface ReloaderOptions {
  readonly run: AgentRun;
  readonly directory: TrustedDirectory;
  readonly context: CommandContext;
  readonly listener: ReloadListener;
}

/** Checks before each prompt whether the files of an agent have changed. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #current: TrustedDirectory;
  /** What was last reported or refused, so that it is not reported again. */
  #broken: AgentDirectory["diagnostics"] = [];
  #refused: Manifest | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#current = options.directory;
  }

  /** The current state of the agent. */
  get directory(): TrustedDirectory {
    return this.#current;
  }

  /** As `AgentOptions.refresh`. Rejects as `openModels` and `changesSinceTrust` do. */
  async refresh(signal: AbortSignal): Promise<AgentChanges | undefined> {
    const { run, context } = this.#options;
    const read = await readDirectory(run.directory, context);
    if (this.#isBroken(read)) return undefined;
    const since = this.#current.manifest;
    const { manifest, changes, isTrusted } = await changesSinceTrust(read, context, since);
    if (changes.length === 0 && Bun.deepEquals(read.definition, this.#current.definition)) return undefined;
    if (!isTrusted && !(await this.#mayRun(manifest, changes, signal))) return undefined;
    const current = { ...read, manifest };
    const models = await this.#changedModels(current);
    this.#current = current;
    this.#options.listener.reloaded();
    return { directory: read, ...models, ...trustOf(this.#current) };
  }

  /** Models whose settings are what they were stay open. */
  async #changedModels(read: TrustedDirectory): Promise<Partial<AgentChanges>> {
    const { run, context } = this.#options;
    const [before, now] = await Promise.all(
      [this.#current, read].map(({ definition }) => resolveRun(run, definition.settings, context)),
    );
    if (Bun.deepEquals(before, now)) return {};
    const { notices: _, ...models } = await openModels(run, read, context);
    return models;
  }

  #isBroken(read: AgentDirectory): boolean {
    const { context, listener } = this.#options;
    const { diagnostics } = read;
    const isBroken = countDiagnostics(diagnostics).errors > 0;
    if (isBroken && !Bun.deepEquals(diagnostics, this.#broken)) {
      listener.broken(showDiagnostics(read, { context, output: context.stdout, isShort: true }));
    }
    this.#broken = isBroken ? diagnostics : [];
    return isBroken;
  }

  async #mayRun(manifest: Manifest, changes: readonly ManifestChange[], signal: AbortSignal): Promise<boolean> {
    if (Bun.deepEquals(manifest, this.#refused)) return false;
    const { context, listener } = this.#options;
    const answer = await listener.askTrust(changes, signal);
    this.#refused = answer === "no" ? manifest : undefined;
    if (answer === "always") await keepTrustOf(this.#current.path, manifest, context);
    return answer !== "no";
  }
}
