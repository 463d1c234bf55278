import { expect, test } from "bun:test";
import type { JsonObject } from "@mdx-ai/base";
import { builtinTools, executeTool } from "@mdx-ai/tools";
import { textOf, toolContext } from "../support/tool-context.ts";

async function kept(args: JsonObject) {
  const [tool] = builtinTools({ environment: {} }, ["todo"]);
  if (tool === undefined) throw new Error("no tool");
  const result = await executeTool(tool, args, toolContext("/"));
  return { text: textOf(result), isError: result.isError, details: result.details };
}

test("todo keeps the list in its details and counts its items", async () => {
  const items = [
    { text: "read", status: "done" },
    { text: "write", status: "active" },
    { text: "test", status: "pending" },
  ];
  expect(await kept({ items })).toStrictEqual({
    text: "[1 pending, 1 active, 1 done]",
    isError: false,
    details: { todo: items },
  });
  expect((await kept({ items: [] })).details).toStrictEqual({ todo: [] });
});

test("todo notes several active items, and takes lists of other programs", async () => {
  const todos = [
    { content: "read", status: "in_progress", activeForm: "Reading", id: "1" },
    { content: "write", status: "in_progress", priority: "high" },
    { content: "test", status: "completed" },
  ];
  const { text, isError, details } = await kept({ todos });
  expect([text, isError]).toStrictEqual([
    "[0 pending, 2 active, 1 done]\n[several items are active: one at a time is clearer]",
    false,
  ]);
  expect(details).toStrictEqual({
    todo: [
      { text: "read", status: "active" },
      { text: "write", status: "active" },
      { text: "test", status: "done" },
    ],
  });
});

test.each<[JsonObject]>([[{}], [{ items: [{ text: "a" }] }], [{ items: [{ text: "a", status: "later" }] }]])(
  "todo refuses %j",
  async (args) => {
    expect((await kept(args)).isError).toBe(true);
  },
);
