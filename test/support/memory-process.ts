// Remembers and notes texts: `memory-process.ts AGENT_DIRECTORY NAME COUNT`. Memories and notes differ by name and number.
import { systemClock } from "@mdx-ai/base";
import { AgentMemory } from "../../packages/runtime/src/memory/agent-memory.ts";
import { MemoryChanges } from "../../packages/runtime/src/memory/memory-changes.ts";

const [agentDir = "", name = "", count = ""] = process.argv.slice(2);
const memory = new AgentMemory({
  agentDir,
  dataDir: agentDir,
  clock: systemClock,
  isEphemeral: false,
  onWarning: (message) => console.error(message),
});
const changes = new MemoryChanges(memory);
for (let number = 1; number <= Number(count); number++) {
  await Promise.all([
    memory.turns.run(() => changes.remember(`${name} ${number}`)),
    memory.turns.run(() => changes.addNote(`${name} ${number}`)),
  ]);
}
