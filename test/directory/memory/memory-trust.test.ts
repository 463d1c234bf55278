import { expect, test } from "bun:test";
import { contentsLines } from "@mdx-ai/directory";
import { lockEntries, lockText } from "@mdx-ai/directory/lock";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { manifestOf } from "../../support/read-manifest.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { trustedAgent } from "../../support/trusted-agent.ts";

const agentText = (memory: string): string => `---\nmemory: ${memory}\n---\n# Agent: Anna\n\n## Purpose\n\nHelps.\n`;

test("the server of a memory is shown, and another one is a change", async () => {
  using folder = temporaryDirectory();
  const manifestFor = async (memory: string) => {
    writeFiles(folder.path, { "agent.mdx": agentText(memory) });
    return manifestOf(folder.path);
  };
  const server = "{store: {command: keeper, args: [--all], env: {KEY: abcdefghijklmnopqrstuvwxyz}}}";
  const first = await manifestFor(server);
  expect(contentsLines(first)).toStrictEqual([
    "MCP servers: memory store",
    "  memory store: transport stdio; program keeper --all; variable KEY",
  ]);
  const lock = lockText(await lockEntries(await readAgentDirectory(folder.path)));
  expect(lock).toContain('"keeper --all"');
  expect(lock).not.toContain("abcdefghijklmnopqrstuvwxyz");
  using agent = await trustedAgent(folder.path);
  await manifestFor("{store: {command: thief}}");
  expect(await agent.changes()).toContain('~ MCP server "memory store": program (keeper --all → thief)');
  expect(contentsLines(await manifestFor("on"))).toStrictEqual([]);
});
