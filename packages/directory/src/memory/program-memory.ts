import { join } from "node:path";
import type { ConversationKeeper } from "@mdx-ai/memory";
import type { LanguageModel } from "@mdx-ai/models";
import type { AgentDirectory, MemorySettings } from "@mdx-ai/parser";
import type { AgentModule, Clock, ProgramModules } from "@mdx-ai/runtime";
import { dataLayout } from "@mdx-ai/runtime/layout";
import { tryLock } from "@mdx-ai/runtime/lock";
import type { MemoryAccess, MemoryAccessOptions } from "./memory-access.ts";
import { MemoryModule } from "./memory-module.ts";

export interface ProgramMemoryOptions extends Omit<MemoryAccessOptions, "settings" | "agentDir"> {
  /** What the user's own settings say about the memory of all agents. */
  readonly ofUser?: "on" | "off" | undefined;
  /** The agent's own. */
  readonly model: LanguageModel;
  /** Opens the model that `memory.model` names. */
  readonly openModel: (reference: string) => Promise<LanguageModel>;
  /** Whether conversations are remembered; if not, the memory is only used. */
  readonly isRemembering: boolean;
  readonly clock: Pick<Clock, "now">;
}

/** Milliseconds that the end of a run waits for what is not yet remembered. */
const PATIENCE_AT_END = 30_000;

/** The memory of an agent as modules of the program: one if the settings switch it on, else none. */
export function programMemory(options: ProgramMemoryOptions): ProgramModules {
  const opened: AgentMemoryParts[] = [];
  return {
    modulesOf: (directory) => {
      const settings = memorySettings(directory, options.ofUser);
      if (settings === undefined) return [];
      const parts = new AgentMemoryParts({ ...options, settings, agentDir: directory.path });
      opened.push(parts);
      return [parts.module];
    },
    onSessionEnd: (sessionKey) => {
      for (const parts of opened) parts.end(sessionKey);
    },
    onClose: async () => {
      await Promise.all(opened.map((parts) => parts.close()));
    },
  };
}

/** The memory of an agent; undefined if it has none. The user's `off` counts first, and the user's `on` last. */
function memorySettings(
  { definition }: Pick<AgentDirectory, "definition">,
  ofUser: "on" | "off" | undefined,
): MemorySettings | undefined {
  const { memory = ofUser === "on" ? {} : "off" } = definition.settings;
  return ofUser === "off" || memory === "off" ? undefined : memory;
}

type PartsOptions = Omit<ProgramMemoryOptions, "ofUser"> & MemoryAccessOptions;

/** The parts of an agent's memory, each opened when it is first needed. */
class AgentMemoryParts {
  readonly module: AgentModule;
  readonly #options: PartsOptions;
  #access: Promise<MemoryAccess> | undefined;
  #keeper: Promise<ConversationKeeper | undefined> | undefined;

  constructor(options: PartsOptions) {
    this.#options = options;
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
    await (await this.#keeper)?.close(PATIENCE_AT_END);
    const access = await this.#access?.catch(() => undefined);
    await access?.store.close();
  }

  #open(): Promise<MemoryAccess> {
    this.#access ??= import("./memory-access.ts").then(({ openMemory }) => openMemory(this.#options));
    this.#access.catch(() => {
      this.#access = undefined;
    });
    return this.#access;
  }

  #kept(): Promise<ConversationKeeper | undefined> {
    this.#keeper ??= this.#openKeeper();
    return this.#keeper;
  }

  async #openKeeper(): Promise<ConversationKeeper | undefined> {
    const { settings, model, isRemembering, dataDirectory, redact, onWarning } = this.#options;
    if (!isRemembering) return undefined;
    if (model.provider === "offline" && settings.model === undefined) {
      onWarning("no model is configured, so that nothing of the conversation is remembered");
      return undefined;
    }
    const folder = join(dataLayout(dataDirectory).state, "remembering");
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
        });
      },
    });
  }
}
