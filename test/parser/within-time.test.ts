import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../support/agent-files.ts";
import { agentText } from "../support/agent-text.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** The parser takes a time that grows with the square of this. */
const nestedLists = "1. 1. 1. 1. x\n".repeat(7_000);

async function diagnosticsOf(files: Readonly<Record<string, string>>) {
  using home = temporaryDirectory();
  mkdirSync(join(home.path, "skills"));
  writeFiles(home.path, files);
  const directory = await readAgentDirectory(home.path);
  return directory.diagnostics.map(({ file, line, rule, hint }) => ({ file, line, rule, hint }));
}

test("a file that takes too long is stopped, says where, and never blocks the thread that answers users", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  const found = await diagnosticsOf({ "agent.mdx": `${agentText("")}\n${nestedLists}` });
  clearInterval(timer);
  expect(found).toMatchObject([{ file: "agent.mdx", rule: "text-too-complex" }]);
  expect(found[0]?.line).toBeGreaterThan(1);
  expect(ticks).toBeGreaterThan(5);
});

test("heartbeat.md is stopped as well, and agent.mdx is read", async () => {
  const files = { "agent.mdx": agentText(""), "heartbeat.md": `## Tasks\n\n${nestedLists}` };
  expect(await diagnosticsOf(files)).toMatchObject([{ file: "heartbeat.md", rule: "text-too-complex" }]);
});

test.each([
  ["a list of 5,000 items", "- a\n".repeat(5_000)],
  ["a list within a list", "- Brew **tea**\n  - with `water`\n".repeat(700)],
  ["paragraphs", "Brew the tea, and *never* boil it.\n\n".repeat(700)],
  // Ends in time only with what `patches/` change: a list or quote that ends must not cost the length of all before it.
  ["quotes", "> a\n\n".repeat(4_000)],
])("a plain text of 20 KB is read: %s", async (_what, text) => {
  expect(await diagnosticsOf({ "agent.mdx": `${agentText("")}\n${text}` })).toStrictEqual([]);
});
