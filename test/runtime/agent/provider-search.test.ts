import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { agentDirectory } from "../../support/agent-directory.ts";
import { textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const agentOf = (builtins: string): string => `---\nbuiltins: ${builtins}\n---\n# Agent: A\n\n## Purpose\n\nHelps.\n`;

test.each<[string, "provider" | undefined, boolean]>([
  ["[read_file, web_search]", "provider", true],
  ["[read_file]", "provider", false],
  ["[read_file, web_search]", undefined, false],
])("with builtins %s and web_search: %p, the provider searches: %p", async (builtins, webSearch, isSearching) => {
  using directory = agentDirectory({ "agent.mdx": agentOf(builtins) });
  using server = anthropicServer(textReply("Hello."));
  const agent = await openScriptAgent(directory.path, [], {
    model: await openModel("claude-test", { environment: server.environment }),
    ...(webSearch !== undefined && { webSearch }),
  });
  await Array.fromAsync(agent.session().prompt("hello"));
  await agent.close();
  const { tools } = Object(server.requests[0]?.body);
  const names = tools.map(({ type, name }: { type?: string; name: string }) => type ?? name);
  expect(names).toStrictEqual([...(isSearching ? ["web_search_20250305"] : []), "read_file"]);
});

test("a model whose provider searches no web is a warning", async () => {
  using directory = agentDirectory({ "agent.mdx": agentOf("coding") });
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const agent = await openScriptAgent(directory.path, [{ text: "ok" }], { webSearch: "provider", onWarning });
  await agent.close();
  expect(warnings).toContain("script searches no web: `web_search: provider` of your settings has no effect");
});
