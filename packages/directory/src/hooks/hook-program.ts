import { within } from "@mdx-ai/base";
import type { ProgramModules } from "@mdx-ai/runtime";
import type { HookModule, HookModuleOptions } from "./hook-module.ts";
import type { HookSource } from "./run-hooks.ts";

export interface HookProgramOptions extends Omit<HookModuleOptions, "sources" | "host" | "agentDir"> {
  /** The hooks of the agents that it works for. */
  readonly callers: readonly HookSource[];
}

/** How long the end of a run waits for hooks, in milliseconds. */
const PATIENCE_AT_END = 5_000;

/** The hooks of an agent's settings, as a module; none without any. The code is loaded with the first hook. */
export function hookProgram({ callers, ...options }: HookProgramOptions): ProgramModules {
  let current: HookModule | undefined;
  const ending = new Set<Promise<void>>();
  const track = (end: Promise<void> | undefined): void => {
    if (end === undefined) return;
    ending.add(end);
    void end.finally(() => ending.delete(end));
  };
  return {
    modulesOf: async (directory, host) => {
      const { hooks } = directory.definition.settings;
      const sources = [...(hooks === undefined ? [] : [{ hooks }]), ...callers];
      if (sources.length === 0) return [];
      const { hookModule } = await import("./hook-module.ts");
      current = hookModule({ ...options, sources, host, agentDir: directory.path });
      return [current.module];
    },
    onSessionEnd: (sessionKey) => track(current?.endSession(sessionKey)),
    onClose: async () => {
      track(current?.endAll());
      await within(Promise.all(ending), PATIENCE_AT_END);
    },
  };
}

/** Several modules of a program as one. */
export const joined = (programs: readonly ProgramModules[]): ProgramModules => ({
  modulesOf: async (directory, host) =>
    (await Promise.all(programs.map((program) => program.modulesOf(directory, host)))).flat(),
  onSessionEnd: (sessionKey) => {
    for (const program of programs) program.onSessionEnd?.(sessionKey);
  },
  onClose: async () => {
    await Promise.all(programs.map((program) => program.onClose?.()));
  },
});
