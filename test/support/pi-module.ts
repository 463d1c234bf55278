// A module as its author wrote it for pi-agent-core: tests load this file from an agent directory.
import type { AgentTool } from "@earendil-works/pi-agent-core";
import { Type } from "@earendil-works/pi-ai";

const Sum = Type.Object({ a: Type.Number(), b: Type.Optional(Type.Number({ description: "The second" })) });

const sum = {
  name: "sum",
  label: "Sum",
  description: "Adds two numbers",
  parameters: Sum,
  replay: "safe",
  execute: async (toolCallId, { a, b = 1 }, signal, onUpdate) => {
    onUpdate?.({ content: [{ type: "text", text: "adding" }], details: undefined });
    const text = [toolCallId, String(a + b), String(signal?.aborted)].join(" ");
    return { content: [{ type: "text", text }], details: { a, b } };
  },
} satisfies AgentTool<typeof Sum>;

const Careful = Type.Object({ fails: Type.Optional(Type.Boolean()) });
let running = 0;

const careful = {
  name: "careful",
  label: "Careful",
  description: "Must not overlap",
  parameters: Careful,
  executionMode: "sequential",
  execute: async (_id, { fails = false }) => {
    running += 1;
    const seen = running;
    await Bun.sleep(1);
    running -= 1;
    if (fails) throw new Error("it failed");
    return { content: [{ type: "text", text: String(seen) }], details: undefined };
  },
} satisfies AgentTool<typeof Careful>;

interface PiModule {
  describe(): { name: string; description: string };
  initialize(): Promise<void>;
  tools(): readonly object[];
  systemPrompt(): string;
  start(): Promise<void>;
  stop(): void;
}

export const piModule: PiModule = {
  describe: () => ({ name: "pi", description: "Brings tools of pi-agent-core" }),
  initialize: async () => {},
  tools: () => [sum, careful],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
};
