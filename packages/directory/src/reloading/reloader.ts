import type { AgentDefinition, AgentDirectory } from "@mdx-ai/parser";
import type { AgentChanges } from "@mdx-ai/runtime";
import type { FrontEnd } from "../front-end.ts";
import type { Change } from "../manifest/difference.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type ModelRun, openModels, resolveModels } from "../models/open-models.ts";
import { countDiagnostics, readDirectory } from "../reading/read-directory.ts";
import { steadily } from "../reading/steady-read.ts";
import { withSkills } from "../repository/join-repository.ts";
import type { TrustAnswer } from "../trust/ensure-trust.ts";
import { changesSinceTrust, keepTrustOf } from "../trust/trust-state.ts";
import { type ReadDirectory, trustOf } from "../trust/trusted-directory.ts";

/** Receives the results of a reload and asks the user. */
export interface ReloadListener {
  /** The agent was reloaded. */
  reloaded(): void;
  /** The files have errors, so the agent is unchanged. Called once for the same errors. */
  broken(directory: AgentDirectory): void;
  /** Asks whether changed code may run. Rejects once `signal` fires. */
  askTrust(changes: readonly Change[], signal: AbortSignal): Promise<TrustAnswer>;
}

export interface ReloaderOptions {
  readonly run: ModelRun & { readonly directory: string };
  readonly directory: ReadDirectory;
  readonly frontEnd: FrontEnd;
  readonly listener: ReloadListener;
}

/** Checks before each prompt whether the files of an agent have changed. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #current: ReadDirectory;
  /** The last reported or refused state, so that it is not reported again. */
  #broken: AgentDirectory["diagnostics"] = [];
  #refused: Manifest | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#current = options.directory;
  }

  /** The current state of the agent. */
  get directory(): ReadDirectory {
    return this.#current;
  }

  /** As `AgentOptions.refresh`. Rejects as `openModels` and `changesSinceTrust` do. */
  async refresh(signal: AbortSignal): Promise<AgentChanges | undefined> {
    const { run, frontEnd } = this.#options;
    const since = this.#current.manifest;
    const { own, state } = await steadily(run.directory, frontEnd, async () => {
      const found = await readDirectory(run.directory, frontEnd);
      const isBroken = countDiagnostics(found.diagnostics).errors > 0;
      return { own: found, state: isBroken ? undefined : await changesSinceTrust(found, frontEnd, since) };
    });
    this.#showBroken(own, state === undefined);
    if (state === undefined) return undefined;
    const { manifest, changes, isTrusted } = state;
    const read = withSkills(own, frontEnd.moreSkills);
    if (changes.length === 0 && Bun.deepEquals(definitionsOf(read), definitionsOf(this.#current))) return undefined;
    if (!isTrusted && !(await this.#mayRun(manifest, changes, signal))) return undefined;
    const current = { ...read, manifest };
    const models = await this.#changedModels(current);
    this.#current = current;
    this.#options.listener.reloaded();
    return { directory: read, ...models, ...trustOf(this.#current) };
  }

  /** Models with unchanged settings stay open. */
  async #changedModels(read: ReadDirectory): Promise<Partial<AgentChanges>> {
    const { run, frontEnd } = this.#options;
    const [before, now] = await Promise.all(
      [this.#current, read].map(({ definition }) => resolveModels(run, definition.settings, frontEnd)),
    );
    if (Bun.deepEquals(before, now)) return {};
    const { notices: _, ...models } = await openModels(run, read, frontEnd);
    return models;
  }

  #showBroken(read: AgentDirectory, isBroken: boolean): void {
    const { diagnostics } = read;
    if (isBroken && !Bun.deepEquals(diagnostics, this.#broken)) this.#options.listener.broken(read);
    this.#broken = isBroken ? diagnostics : [];
  }

  async #mayRun(manifest: Manifest, changes: readonly Change[], signal: AbortSignal): Promise<boolean> {
    if (Bun.deepEquals(manifest, this.#refused)) return false;
    const { frontEnd, listener } = this.#options;
    const answer = await listener.askTrust(changes, signal);
    this.#refused = answer === "no" ? manifest : undefined;
    if (answer === "always") await keepTrustOf(this.#current, manifest, frontEnd);
    return answer !== "no";
  }
}

/** Of the agent, and of those that work for it. */
const definitionsOf = ({ definition, subagents }: AgentDirectory): readonly AgentDefinition[] => [
  definition,
  ...[...(subagents?.values() ?? [])].map((agent) => agent.definition),
];
