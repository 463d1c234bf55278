import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { AgentTool, ToolContext, ToolResult } from "@mdx-ai/loop";
import { toolRegistry } from "@mdx-ai/tools";
import { moduleBench, moduleText, toolsOf } from "../../support/module-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const PI_MODULE = `export { piModule as default } from ${JSON.stringify(fileURLToPath(import.meta.resolve("../../support/pi-module.ts")))};\n`;

const surroundings = { agentDir: "/agent", cwd: "/", log: async (): Promise<void> => {} };

function context(updates: unknown[]): ToolContext {
  return {
    ...surroundings,
    sessionId: "main",
    callId: "call_1",
    signal: new AbortController().signal,
    update: (partial) => void updates.push(partial),
  };
}

/** Loads one module, and gives its tools by name and what was warned of. */
async function loaded(text: string): Promise<{ tools: Map<string, AgentTool>; warnings: readonly string[] }> {
  using agent = temporaryDirectory();
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  const tools = toolsOf(await bench.load());
  return { tools: new Map(tools.map((tool) => [tool.name, tool])), warnings: bench.warnings };
}

const textOf = (result: string | ToolResult | undefined): string =>
  typeof result === "object" ? JSON.stringify(result.content) : String(result);

describe("a module that was written for pi-agent-core", () => {
  test("has tools that get the call's id, the arguments, the signal and the updates", async () => {
    const { tools, warnings } = await loaded(PI_MODULE);
    expect([warnings, [...tools.keys()]]).toEqual([[], ["sum", "careful"]]);
    const updates: unknown[] = [];
    expect(await tools.get("sum")?.execute({ a: 40, b: 2 }, context(updates))).toEqual({
      content: [{ type: "text", text: "call_1 42 false" }],
      details: { a: 40, b: 2 },
    });
    expect(updates).toEqual([{ content: [{ type: "text", text: "adding" }], details: undefined }]);
    expect(tools.get("sum")?.idempotent).toBe(true);
  });

  test("has schemas against which the arguments are checked", async () => {
    const { tools } = await loaded(PI_MODULE);
    const registry = toolRegistry([...tools.values()], surroundings);
    const call = (args: Readonly<Record<string, string | number>>): string | undefined =>
      registry.refusal({ type: "toolCall", id: "c", name: "sum", arguments: args });
    expect(call({ a: 1 })).toBeUndefined();
    expect(call({ a: "one" })).toContain("number");
    expect(JSON.parse(JSON.stringify(registry.schemas[0]?.parameters))).toEqual({
      type: "object",
      required: ["a"],
      properties: { a: { type: "number" }, b: { type: "number", description: "The second" } },
    });
  });

  test("has sequential tools whose calls do not overlap, even after failures", async () => {
    const careful = (await loaded(PI_MODULE)).tools.get("careful");
    const calls = [{}, { fails: true }, {}].map(async (args) => careful?.execute(args, context([])));
    const results = await Promise.allSettled(calls);
    expect(results.map((result) => (result.status === "fulfilled" ? textOf(result.value) : "failed"))).toEqual([
      '[{"type":"text","text":"1"}]',
      "failed",
      '[{"type":"text","text":"1"}]',
    ]);
  });

  test("may change the arguments itself before it gets them", async () => {
    const { tools } = await loaded(
      withTool(
        "label: 'T', prepareArguments: (args) => ({ ...args, b: 2 }), execute: async (id, p) => JSON.stringify(p)",
      ),
    );
    const call = { type: "toolCall", id: "c", name: "t", arguments: { a: 1 } } as const;
    const understood = await toolRegistry([...tools.values()], surroundings).understood(call);
    expect(understood.arguments).toEqual({ a: 1, b: 2 });
  });
});

const withTool = (members: string): string =>
  moduleText(`tools: () => [{ name: "t", description: "T", parameters: { type: "object" }, ${members} }]`);

describe("a tool of pi-agent-core is recognized by its label and the number of its parameters", () => {
  const called: readonly [title: string, members: string, result: string][] = [
    ["without a label, with two", "execute: async (args, context) => args.a + context.callId", "1call_1"],
    ["without a label, with one", "execute: async (args) => String(args.a)", "1"],
    ["without either", "execute: async () => 'none'", "none"],
    ["with a label that is no text", "label: 5, execute: async (args) => String(args.a)", "1"],
    ["with a label and two", "label: 'T', execute: async (id, params) => id + params.a", "call_11"],
    ["with a label and three", "label: 'T', execute: async (id, params, signal) => id + signal.aborted", "call_1false"],
    ["with a label and none", "label: 'T', execute: async () => 'none'", "none"],
  ];
  for (const [title, members, result] of called) {
    test(`${title} it is called`, async () => {
      const { tools, warnings } = await loaded(withTool(members));
      expect(warnings).toEqual([]);
      expect(await tools.get("t")?.execute({ a: 1 }, context([]))).toBe(result);
    });
  }

  const refused: readonly [title: string, members: string, reason: string][] = [
    ["with a label and one", "label: 'T', execute: async (args) => args.a", "1 parameter and a label"],
    ["with a label and five", "label: 'T', execute: async (a, b, c, d, e) => a", "5 parameters and a label"],
    ["without a label, with four", "execute: async (id, params, signal, update) => id", "expected (args, context)"],
  ];
  for (const [title, members, reason] of refused) {
    test(`${title} it is refused with the reason`, async () => {
      const { tools, warnings } = await loaded(withTool(members));
      expect([...tools.keys()]).toEqual([]);
      expect(warnings).toEqual([expect.stringContaining(reason)]);
    });
  }
});
