import { join } from "node:path";
import { type Clock, dataLayout, failureText } from "@mdx-ai/base";
import { tryLock } from "@mdx-ai/base/locks";
import type { ConversationKeeper } from "@mdx-ai/memory";
import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import type { MemorySettings } from "@mdx-ai/parser";
import type { AgentModule, ProgramHost, ProgramModules } from "@mdx-ai/runtime";
import { memorySettings } from "../settings/run-settings.ts";
import type { MemoryAccess, MemoryAccessOptions } from "./memory-access.ts";
import { MemoryModule } from "./memory-module.ts";

export interface ProgramMemoryOptions extends Omit<MemoryAccessOptions, "settings" | "agentDir"> {
  /** The user's setting for the memory of all agents. */
  readonly ofUser?: "on" | "off" | undefined;
  /** The agent's setting. */
  readonly model: LanguageModel;
  /** Opens the model that `memory.model` names. */
  readonly openModel: (reference: string) => Promise<LanguageModel>;
  /** Whether conversations are recorded. If false, the memory is only read. */
  readonly isRemembering: boolean;
  readonly clock: Pick<Clock, "now">;
  /** Once it fires, the end of the run no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/** How long the end of a run waits for pending recordings before it shows a warning, in milliseconds. */
const PATIENCE_AT_END = 30_000;
const SILENCE_AT_END = 3_000;

/** The memory module of an agent; none if the settings switch it off. */
export function programMemory(options: ProgramMemoryOptions): ProgramModules {
  let current: AgentMemoryParts | undefined;
  let closed: Promise<void> = Promise.resolve();
  const closeCurrent = (): void => {
    const warn = (error: unknown): void => options.onWarning(`the memory was not closed: ${failureText(error)}`);
    closed = Promise.all([closed, current?.close().catch(warn)]).then(() => {});
    current = undefined;
  };
  return {
    modulesOf: (directory, host) => {
      const settings = memorySettings(directory, options.ofUser);
      if (current && Bun.deepEquals(current.settings, settings)) return [current.module];
      if (current !== undefined) closeCurrent();
      if (settings === undefined) return [];
      current = new AgentMemoryParts({ ...options, ...host, settings, agentDir: directory.path, after: closed });
      return [current.module];
    },
    onSessionEnd: (sessionKey) => current?.end(sessionKey),
    onClose: async () => {
      closeCurrent();
      await closed;
    },
  };
}

interface PartsOptions extends Omit<ProgramMemoryOptions, "ofUser">, MemoryAccessOptions, ProgramHost {
  /** Closes the memory with earlier settings. Never rejects. */
  readonly after: Promise<void>;
}

/** The parts of an agent's memory, each opened lazily. */
class AgentMemoryParts {
  readonly module: AgentModule;
  readonly settings: MemorySettings;
  readonly #options: PartsOptions;
  readonly #spent = new Set<Promise<void>>();
  #access: Promise<MemoryAccess> | undefined;
  #keeper: Promise<ConversationKeeper | undefined> | undefined;

  constructor(options: PartsOptions) {
    this.#options = options;
    this.settings = options.settings;
    this.module = new MemoryModule({
      open: () => this.#open(),
      keeper: () => this.#kept(),
      now: () => options.clock.now(),
      onWarning: options.onWarning,
    });
  }

  end(threadId: string): void {
    void this.#keeper?.then((keeper) => keeper?.end(threadId));
  }

  async close(): Promise<void> {
    const keeper = await this.#keeper;
    if (keeper) await this.#finish(keeper);
    const access = await this.#access?.catch(() => undefined);
    await access?.store.close();
    await Promise.all(this.#spent);
  }

  async #finish(keeper: ConversationKeeper): Promise<void> {
    const { signal, onWarning } = this.#options;
    const limit = new AbortController();
    const say = (): void =>
      onWarning("still saving the conversation to the memory; Ctrl+C leaves the rest to the next run");
    const timers = [setTimeout(say, SILENCE_AT_END), setTimeout(() => limit.abort(), PATIENCE_AT_END)];
    await keeper.close(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    for (const timer of timers) clearTimeout(timer);
  }

  #open(): Promise<MemoryAccess> {
    this.#access ??= import("./memory-access.ts").then(({ openMemory }) => openMemory(this.#options));
    this.#access.catch(() => {
      this.#access = undefined;
    });
    return this.#access;
  }

  /** Never rejects: a failure to open is a warning, and the next prompt tries again. */
  #kept(): Promise<ConversationKeeper | undefined> {
    this.#keeper ??= this.#openKeeper().catch((error) => {
      this.#keeper = undefined;
      this.#options.onWarning(`not remembered: ${failureText(error)}`);
      return undefined;
    });
    return this.#keeper;
  }

  #spend(answer: AssistantMessage): void {
    const noted = this.#options.spend(answer).finally(() => this.#spent.delete(noted));
    this.#spent.add(noted);
  }

  async #openKeeper(): Promise<ConversationKeeper | undefined> {
    const { settings, model, isRemembering, dataDirectory, redact, onWarning } = this.#options;
    if (!isRemembering) return undefined;
    if (model.provider === "offline" && settings.model === undefined) {
      onWarning("no model is configured, so the conversation is not remembered");
      return undefined;
    }
    await this.#options.after;
    const folder = dataLayout(dataDirectory).memoryFolder;
    const { ConversationKeeper: Keeper, MemoryAgent, threadFiles } = await import("@mdx-ai/memory");
    return new Keeper({
      ...{ folder, redact, onWarning, lock: tryLock },
      openAgent: async (signal) => {
        const { store, vaultId, memoryId, memoryType } = await this.#open();
        return new MemoryAgent({
          ...{ store, vaultId, memoryId, memoryType, redact, signal },
          model: settings.model === undefined ? model : await this.#options.openModel(settings.model),
          openThread: threadFiles(join(folder, "threads")),
          now: () => this.#options.clock.now(),
          onAnswer: (answer) => this.#spend(answer),
        });
      },
    });
  }
}
