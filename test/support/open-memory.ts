import type { UserMemory } from "@mdx-ai/runtime";
import { AgentMemory, type AgentMemoryOptions } from "../../packages/runtime/src/memory/agent-memory.ts";
import { MemoryChanges } from "../../packages/runtime/src/memory/memory-changes.ts";
import { HandClock } from "./hand-clock.ts";

export interface OpenMemory {
  readonly memory: Pick<AgentMemory, "read"> & Omit<UserMemory, "memories">;
  /** What the user was warned of. */
  readonly warnings: readonly string[];
}

/** What the user wants the agent of a directory to know; the clock stands at 2026-04-29T09:12:00Z. */
export function openMemory(agentDir: string, options: Partial<AgentMemoryOptions> = {}): OpenMemory {
  const warnings: string[] = [];
  const memory = new AgentMemory({
    agentDir,
    dataDir: agentDir,
    clock: new HandClock("2026-04-29T09:12:00.000Z"),
    isEphemeral: false,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  const changes = new MemoryChanges(memory);
  return {
    memory: {
      read: () => memory.read(),
      remember: (text) => memory.turns.run(() => changes.remember(text)),
      forget: (id) => memory.turns.run(() => changes.forget(id)),
      addNote: (text) => memory.turns.run(() => changes.addNote(text)),
    },
    warnings,
  };
}
