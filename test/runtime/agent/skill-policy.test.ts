import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolSource } from "@mdx-ai/loop";
import { UnknownSkillError } from "@mdx-ai/runtime";
import { forkSession } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const skill = (name: string, more = ""): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n${more}---\nBody.\n`;

const files = {
  "skills/weather/SKILL.md": skill("weather", "tags: [web, sky]\ntool_tags: [fetch]\n"),
  "skills/shell/SKILL.md": skill("shell", "tags: [local]\nenabled_by_default: false\n"),
};

interface Source extends ToolSource {
  prepared: number;
}

/** The tools of a skill, which count how often they are prepared. */
const source = (name: string): Source => ({
  origin: `skill:${name}`,
  skill: name,
  prepared: 0,
  tools: () => [
    { name: `${name}_tool`, description: "d", parameters: { type: "object" }, execute: async () => `${name} ran` },
  ],
  async prepare() {
    this.prepared++;
    if (name === "shell") throw new Error("the shell is gone");
  },
});

const call = (name: string): Reply => ({ calls: [{ id: "1", name, arguments: {} }] });

test("disabling beats enabling beats the default, for the session alone, from its next prompt on and after a restart", async () => {
  using directory = agentDirectory(files);
  const sources = [source("weather"), source("shell")];
  let agent = await openScriptAgent(directory.path, [{ text: "Yes." }, { text: "Yes." }], { tools: sources });
  const offered = (session: string): readonly string[] =>
    [...agent.session(session).toolOrigins().keys()].filter((name) => name.endsWith("_tool"));
  expect(offered("main")).toStrictEqual(["weather_tool"]);
  await agent.session("one").enableSkill("shell");
  await agent.session("one").disableSkill("weather");
  expect([offered("one"), offered("main")]).toStrictEqual([["shell_tool"], ["weather_tool"]]);
  expect(JSON.parse(readFileSync(join(directory.path, "sessions/one/skills.json"), "utf8"))).toStrictEqual({
    enabled: ["shell"],
    disabled: ["weather"],
  });
  await Array.fromAsync(agent.session("one").prompt("Hi"));
  expect(sources.map(({ prepared }) => prepared)).toStrictEqual([0, 1]);
  await Array.fromAsync(agent.session("main").prompt("Hi"));
  expect(sources.map(({ prepared }) => prepared)).toStrictEqual([1, 1]);
  await agent.close();

  await forkSession(directory.path, { from: "one", to: "three", now: 0, onWarning: () => {} });
  agent = await openScriptAgent(directory.path, [], { tools: sources });
  expect([offered("one"), offered("main"), offered("three")]).toStrictEqual([
    ["shell_tool"],
    ["weather_tool"],
    ["shell_tool"],
  ]);
  await agent.session("one").disableSkill("shell");
  expect(offered("one")).toStrictEqual([]);
  await agent.session("one").enableSkill("weather");
  expect(offered("one")).toStrictEqual(["weather_tool"]);
  await agent.close();
});

test("a session sees and calls no tool of a skill that it does not have, and no skill gives no tool", async () => {
  using directory = agentDirectory(files);
  const replies = [call("weather_tool"), { text: "No." }, { text: "Again." }];
  const agent = await openScriptAgent(directory.path, replies, { tools: [source("weather"), source("shell")] });
  await agent.session().disableSkill("weather");
  await Array.fromAsync(agent.session().prompt("Hi"));
  const messages = await agent.session().messages();
  expect(JSON.stringify(messages)).toContain("there is no tool weather_tool");
  expect(JSON.stringify(messages)).not.toContain("weather ran");
  expect([...agent.session().toolOrigins().keys()].filter((name) => name.endsWith("_tool"))).toStrictEqual([]);
  await agent.close();
});

test("the skills of a session are listed with their state, tools and tags", async () => {
  using directory = agentDirectory(files);
  const agent = await openScriptAgent(directory.path, [], { tools: [source("weather"), source("shell")] });
  await agent.session().enableSkill("shell");
  const skills = (await agent.session().skills()).map(({ definition, ...state }) => ({
    name: definition.name,
    ...state,
  }));
  expect(skills).toStrictEqual([
    { name: "shell", isEnabled: true, tools: ["shell_tool"], tags: ["local"] },
    { name: "weather", isEnabled: true, tools: ["weather_tool"], tags: ["web", "sky", "fetch"] },
  ]);
  const withTag = skills.filter(({ tags }) => tags.includes("sky")).flatMap(({ tools }) => tools);
  expect(withTag).toStrictEqual(["weather_tool"]);
  await agent.close();
});

test("a skill that does not exist cannot be enabled, and choices that are damaged count as none", async () => {
  using directory = agentDirectory(files);
  const agent = await openScriptAgent(directory.path, [], { tools: [source("weather")] });
  const failure = await agent
    .session()
    .enableSkill("wether")
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnknownSkillError);
  expect(String(failure)).toContain("weather");
  await agent.session().disableSkill("weather");
  expect([...agent.session().toolOrigins().keys()]).not.toContain("weather_tool");
  writeFileSync(join(directory.path, "sessions/main/skills.json"), '{"enabled": 1, "disabled": ["weather", 2');
  await agent.session().release();
  expect([...agent.session().toolOrigins().keys()]).toContain("weather_tool");
  await agent.close();
});
