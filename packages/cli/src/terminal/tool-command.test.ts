import { expect, test } from "bun:test";
import type { ToolOrigin } from "@mdx-ai/loop";
import { runToolCommand, ToolOutput } from "./view/tool-output.ts";

const origins = new Map<string, ToolOrigin>([
  ["bash", "builtin"],
  ["greet\u001b[2J", "inline"],
  ["deploy", "module:cloud"],
]);
const toolOrigins = (): ReadonlyMap<string, ToolOrigin> => origins;

test("/tool list shows each tool with its origin", () => {
  expect(runToolCommand("list", { toolOrigins }, new ToolOutput())).toBe(
    "bash    builtin\ngreet   inline\ndeploy  module:cloud",
  );
  expect(runToolCommand("list", { toolOrigins: () => new Map() }, new ToolOutput())).toBe("This session has no tools.");
});

test("/tool output shows and changes how much of results is shown", () => {
  const output = new ToolOutput();
  const run = (words: string): string => runToolCommand(words, { toolOrigins }, output);
  expect(run("output")).toStartWith("Tool output is short;");
  expect(run("output  full")).toStartWith("Tool output is now full");
  expect([output.mode, run("output")]).toEqual([
    "full",
    "Tool output is full; /tool output full, short or off changes that.",
  ]);
});

test("a setting says how much of results is shown at first", () => {
  expect(new ToolOutput({ mode: "full" }).mode).toBe("full");
});

test("/tool alone, or with other words, lists what is available", () => {
  for (const words of ["", "lists"]) {
    expect(runToolCommand(words, { toolOrigins }, new ToolOutput())).toStartWith("/tool list shows");
  }
});
