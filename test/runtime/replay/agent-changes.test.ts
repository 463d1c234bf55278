import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type AgentOptions, openReplay } from "@mdx-ai/runtime";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { writeText } from "../../support/agent-files.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const identity = "# Agent: Clerk\n\n## Purpose\n\nHelps.\n\n## Rules\n\nBe kind.\n";
const skill = (description: string): string => `---\nname: packing\ndescription: ${description}\n---\n\nPack.\n`;
const FILES = {
  "agent.mdx": `${identity}${toolText("weather", "return 1;")}`,
  "skills/packing/SKILL.md": skill("What to pack"),
  "AGENT.md": "Be brief.\n",
};

async function ask(path: string, options: Partial<AgentOptions> = {}): Promise<void> {
  const agent = await openScriptAgent(path, [{ text: "yes" }], options);
  await Array.fromAsync(agent.session().prompt("hello"));
  await agent.close();
}

const changesOf = async (path: string) => {
  const { recording, changes } = await openReplay(await readAgentDirectory(path), { session: "main" });
  return changes(recording.prompts);
};

/** Records a prompt, puts files in the place of others, and gives what has changed. */
async function partsAfter(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  using directory = agentDirectory(FILES);
  await ask(directory.path);
  for (const [path, text] of Object.entries(files)) writeText(join(directory.path, path), text);
  return (await changesOf(directory.path)).flatMap(({ parts }) => parts);
}

const agentOf = (text: string, tool = toolText("weather", "return 1;")): string => `${text}${tool}`;

describe("what has changed since a session was recorded", () => {
  test.each([
    ["nothing", {}, []],
    ["the code of a tool", { "agent.mdx": agentOf(identity, toolText("weather", "return 2;")) }, []],
    ["a section", { "agent.mdx": agentOf(identity.replace("kind", "brief")) }, ['section "Rules"']],
    ["a new section", { "agent.mdx": agentOf(`${identity}\n## More\n\nText.\n`) }, ['section "More" (new)']],
    [
      "a section that is gone",
      { "agent.mdx": agentOf(identity.replace(/## Rules[^#]*/, "")) },
      ['section "Rules" (gone)'],
    ],
    [
      "the prose alone where no part of it has changed, such as blanks in a heading",
      { "agent.mdx": agentOf(identity.replace("## Rules", "##  Rules")) },
      ["prose"],
    ],
    ["the name", { "agent.mdx": agentOf(identity.replace("Clerk", "Boss")) }, ["name"]],
    [
      "a tool's parameters",
      { "agent.mdx": agentOf(identity, toolText("weather", "return 1;").replace('required="false"', 'type="number"')) },
      ["parameters of tool weather"],
    ],
    [
      "a tool's description",
      { "agent.mdx": agentOf(identity, toolText("weather", "return 1;").replace("Does", "Tells")) },
      ["description of tool weather"],
    ],
    [
      "another tool in its place",
      { "agent.mdx": agentOf(identity, toolText("wind", "return 1;")) },
      ["tool wind (new)", "tool weather (gone)"],
    ],
    ["a skill's description", { "skills/packing/SKILL.md": skill("Another") }, ['skill "packing"']],
    ["AGENT.md", { "AGENT.md": "Be long.\n" }, ["AGENT.md"]],
  ])("names %s", async (_what, files, parts) => {
    expect((await partsAfter(files)).toSorted()).toStrictEqual(parts.toSorted());
  });

  test("is reported for each agent that worked on the session, by the last prompt of each", async () => {
    using directory = agentDirectory(FILES);
    const { path } = directory;
    await ask(path);
    await ask(path);
    writeText(join(path, "agent.mdx"), agentOf(identity.replace("kind", "brief")));
    await ask(path);
    expect(await changesOf(path)).toStrictEqual([{ prompt: 2, parts: ['section "Rules"'] }]);
    writeText(join(path, "agent.mdx"), agentOf(identity.replace("kind", "brief").replace("Helps", "Serves")));
    expect(await changesOf(path)).toStrictEqual([
      { prompt: 2, parts: ['section "Purpose"', 'section "Rules"'] },
      { prompt: 3, parts: ['section "Purpose"'] },
    ]);
  });

  test.each(["[coding]", "[bash]", undefined])(
    "does not name builtin tools (builtins: %s) that differ only by where they worked",
    async (builtins) => {
      const settings = builtins === undefined ? "" : `---\nbuiltins: ${builtins}\n---\n\n`;
      using directory = agentDirectory({
        "agent.mdx": `${settings}${agentOf(identity, toolText("grep", "return 1;"))}`,
      });
      using folder = temporaryDirectory();
      const workspace = folder.path;
      await ask(directory.path);
      await ask(directory.path, { workspace });
      await ask(directory.path, { workspace, isOwnFolder: true });
      await ask(directory.path);
      expect(await changesOf(directory.path)).toStrictEqual([]);
    },
  );

  test("does not hold what modules say against an agent whose modules were not loaded", async () => {
    const module = `export default {
      describe: () => ({ name: "clock", description: "Knows the time" }), initialize: async () => {}, start: async () => {}, stop: () => {},
      tools: () => [{ name: "tell time", description: "Tells", parameters: { type: "object" }, execute: async () => "now" }],
      systemPrompt: () => "It is " + Math.random(),
    };`;
    using directory = agentDirectory({ ...FILES, "modules/clock.ts": module });
    await ask(directory.path);
    expect(await changesOf(directory.path)).toStrictEqual([]);
  });
});
