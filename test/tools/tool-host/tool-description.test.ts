import { describe, expect, test } from "bun:test";
import type { ExampleExpectation, ToolExample } from "@mdx-ai/parser";
import { toolDescription } from "@mdx-ai/tools";

const position = { line: 1, column: 1 };
const example = (expected: ExampleExpectation, fewShot = true): ToolExample => ({
  name: "n",
  arguments: { city: "Zürich", month: 7 },
  expected,
  fewShot,
  position,
});

describe("what a model reads of an inline tool", () => {
  test("is the description alone where no example is few-shot", () => {
    expect(toolDescription({ description: "Tells.", examples: [] })).toBe("Tells.");
    expect(toolDescription({ description: "Tells.", examples: [example({ type: "success" }, false)] })).toBe("Tells.");
  });

  test("has below it every few-shot example, one a line, byte for byte the same each time", () => {
    const examples = [
      example({ type: "result", value: "12 °C\nrain" }),
      example({ type: "success" }, false),
      example({ type: "result", value: { b: [1], a: null } }),
      example({ type: "contains", text: "12" }),
      example({ type: "error", text: "no \ud800city" }),
      { ...example({ type: "success" }), now: 0, fetch: [] },
    ];
    expect(toolDescription({ description: "Tells.", examples })).toBe(`Tells.

Examples:
{"arguments":{"city":"Zürich","month":7},"result":"12 °C\\nrain"}
{"arguments":{"city":"Zürich","month":7},"result":{"b":[1],"a":null}}
{"arguments":{"city":"Zürich","month":7},"contains":"12"}
{"arguments":{"city":"Zürich","month":7},"error":"no \\ud800city"}
{"arguments":{"city":"Zürich","month":7}}`);
  });
});
