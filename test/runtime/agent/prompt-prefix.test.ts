import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { textReply, toolReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";

const FILES = {
  "agent.mdx": `${MINIMAL_AGENT}\nBorn {Math.random()}.\n${toolText("clock", "return String(Date.now());")}`,
  "skills/pack/SKILL.md": "---\nname: pack\ndescription: Packs\n---\n\nPack.\n",
  "modules/one.ts": `export default {
    describe: () => ({ name: "one", description: "One" }),
    initialize: async () => {}, tools: () => [], systemPrompt: () => "One.", start: async () => {}, stop: () => {},
  };`,
};

test("what a model is sent begins, byte for byte, with what it was sent before: across turns, prompts and processes", async () => {
  using directory = agentDirectory(FILES);
  using server = anthropicServer();
  for (let process = 0; process < 2; process++) {
    const agent = await openAgent({
      directory: await readAgentDirectory(directory.path),
      model: await openModel("claude-test", { environment: server.environment }),
      cwd: directory.path,
      toolHostCommand: toolHostCommand(),
      environment: {},
    });
    for (let prompt = 0; prompt < 2; prompt++) {
      server.add(
        toolReply({ id: `a${process}${prompt}`, name: "clock", input: {} }),
        toolReply({ id: `b${process}${prompt}`, name: "read_file", input: { path: "skills/pack/SKILL.md" } }),
        textReply("Done."),
      );
      await Array.fromAsync(agent.session().prompt("What time is it?"));
    }
    await agent.close();
  }
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array.from({ length: 12 }, () => undefined));
  const sent = server.requests.map(({ text }) => withoutCachePoints(text));
  expect(new Set(sent.map((text) => text.slice(0, text.indexOf('"messages":[')))).size).toBe(1);
  for (const [index, text] of sent.entries()) {
    const before = sent[index - 1];
    if (before) expect(text.startsWith(before.slice(0, before.lastIndexOf("]}")))).toBe(true);
  }
});

/** The points move with the conversation; what counts for a cache is the bytes between them. */
const withoutCachePoints = (text: string): string => text.replaceAll(',"cache_control":{"type":"ephemeral"}', "");
