import { expect, test } from "bun:test";
import type { AgentTool } from "@mdx-ai/runtime";
import { ToolSources } from "../../../packages/runtime/src/agent/tool-registry.ts";

const tool = (name: string): AgentTool => ({
  name,
  description: name,
  parameters: { type: "object" },
  execute: async () => ({ content: [] }),
});

test("a snapshot of the tools stays what it was, and the next one has what a source announced", () => {
  let tools = [tool("a")];
  let announce = (): void => {};
  const changing = {
    origin: "module",
    tools: () => tools,
    onChange: (changed: () => void) => void (announce = changed),
  } as const;
  const surroundings = { agentDir: "/agent", cwd: "/", log: async () => {} };
  const sources = new ToolSources([{ origin: "builtin", tools: () => [tool("bash")] }, changing], surroundings);
  const before = sources.snapshot();
  tools = [tool("a"), tool("b")];
  expect(sources.snapshot()).toBe(before);
  announce();
  const names = ({ registry }: typeof before): readonly string[] => registry.schemas.map(({ name }) => name);
  expect([names(before), names(sources.snapshot())]).toEqual([
    ["bash", "a"],
    ["bash", "a", "b"],
  ]);
  expect(sources.snapshot().registry.planned.map(({ origin }) => origin)).toEqual(["builtin", "module", "module"]);
});
