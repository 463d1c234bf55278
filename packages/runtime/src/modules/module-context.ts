import { join } from "node:path";
import { dataLayout } from "@mdx-ai/base";
import type { AnswerWords } from "@mdx-ai/loop";
import type { ModuleContext, ModulePromptOptions, ModuleState, ModuleTask, PromptResult } from "../types/module.ts";
import type { LiveModule } from "./live-module.ts";
import { API_VERSION } from "./module-contract.ts";

/** What an agent does for its modules. */
export interface ModuleServices {
  /** Absolute. */
  readonly agentDir: string;
  /** Contains `state/`. Absolute. */
  readonly dataDir: string;
  /** Whether nothing is written. */
  readonly isEphemeral: boolean;
  prompt(message: string, options: ModulePromptOptions): Promise<PromptResult>;
  /** Never rejects. */
  log(message: string): Promise<void>;
  /** Runs a task of a module until the returned function is called. Rejects with `ScheduleError`. */
  schedule(task: ModuleTask, module: Pick<LiveModule, "key" | "signal">): Promise<() => void>;
  answer(question: string, words: AnswerWords, session: string | undefined): Promise<void>;
}

/** The context of one module. */
export function moduleContext(services: ModuleServices, live: LiveModule): ModuleContext {
  const { agentDir } = services;
  return {
    ...{ apiVersion: API_VERSION, agentDir, signal: live.signal, state: lazyState(services, live.key) },
    prompt: (message, options = {}) => services.prompt(message, options),
    log: (message) => services.log(`${live.name}: ${message}`),
    subscribe: (listener) => live.listen(listener),
    schedule: (task) => services.schedule(task, live),
    answer: (question, words, session) => services.answer(question, words, session),
  };
}

/** The module's values; few modules keep any. */
function lazyState({ dataDir, isEphemeral }: ModuleServices, key: string): ModuleState {
  let opened: Promise<ModuleState> | undefined;
  const state = (): Promise<ModuleState> => {
    opened ??= import("./module-state.ts").then(
      ({ ModuleStateFile }) => new ModuleStateFile(join(dataLayout(dataDir).modules, `${key}.json`), isEphemeral),
    );
    return opened;
  };
  return {
    get: async (name) => (await state()).get(name),
    set: async (name, value) => (await state()).set(name, value),
    delete: async (name) => (await state()).delete(name),
    keys: async () => (await state()).keys(),
  };
}
