import { expect, test } from "bun:test";
import type { AgentTool, ToolSource } from "@mdx-ai/loop";
import { ToolSources } from "@mdx-ai/tools";

const tool = (name: string): AgentTool => ({
  name,
  description: name,
  parameters: { type: "object" },
  execute: async () => ({ content: [] }),
});

test("a snapshot of the tools stays what it was, and the next one has what a source announced", () => {
  let tools = [tool("a")];
  const listeners: (() => void)[] = [];
  const fixed: ToolSource = { origin: "builtin", tools: () => [tool("bash")] };
  const changing: ToolSource = {
    origin: "module:notes",
    tools: () => tools,
    onChange(changed) {
      listeners.push(changed);
    },
  };
  const sources = new ToolSources([fixed, changing], { agentDir: "/agent", cwd: "/", log: async () => {} });
  const before = sources.snapshot();
  tools = [tool("a"), tool("b")];
  expect(sources.snapshot()).toBe(before);
  for (const changed of listeners) changed();
  const names = ({ registry }: typeof before): readonly string[] => registry.schemas.map(({ name }) => name);
  expect([names(before), names(sources.snapshot())]).toEqual([
    ["bash", "a"],
    ["bash", "a", "b"],
  ]);
  expect(sources.snapshot().registry.planned.map(({ origin }): string => origin)).toEqual([
    "builtin",
    "module:notes",
    "module:notes",
  ]);
});
