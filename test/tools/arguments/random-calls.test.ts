import { expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { ToolCall } from "@mdx-ai/models";
import { builtinTools, toolRegistry } from "@mdx-ai/tools";
import fc from "fast-check";
import { randomCases } from "../../support/random-cases.ts";

const tools = builtinTools({ environment: {} }, ["bash", "read_file", "edit_file", "grep", "list_files"]);
const registry = toolRegistry(tools, { agentDir: "/", cwd: "/", log: async () => {} });

const name = fc.oneof(
  fc.constantFrom("path", "file_path", "edits", "old", "new", "old_string", "command", "timeout", "pattern", "mode"),
  fc.constantFrom("arguments", "input", "limit", "offset", "__proto__", "constructor", "description"),
  fc.string(),
);
const leaf = fc.oneof(
  fc.constantFrom("20", "true", "[]", "{}", '{"old":"x","new":1}', '[{"oldText":"1"}]', "null", "", "60000", "lines"),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
);
const objectOf = (value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((members) => JSON.parse(`{${members.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`)}}`));
const { value } = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value"), { maxLength: 4 }), objectOf(tie("value"))),
}));

test("a valid call is unchanged, no call is mutated, and reading a corrected call again changes nothing", async () => {
  const understood = async (tool: string, args: JsonObject): Promise<void> => {
    const call: ToolCall = { type: "toolCall", id: "c", name: tool, arguments: args };
    const before = JSON.stringify(call);
    const fits = registry.refusal(call) === undefined;
    const found = await registry.understood(call);
    expect(JSON.stringify(call)).toBe(before);
    if (fits) expect(found).toBe(call);
    expect(JSON.stringify(await registry.understood(found))).toBe(JSON.stringify(found));
  };
  const property = fc.asyncProperty(fc.constantFrom(...tools.map((tool) => tool.name)), objectOf(value), understood);
  await fc.assert(property, randomCases(300));
});
