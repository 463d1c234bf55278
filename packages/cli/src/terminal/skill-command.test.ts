import { expect, test } from "bun:test";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { runSkillCommand, skillWords } from "./skill-command.ts";

const FILES = {
  "skills/ssh/SKILL.md":
    "---\nname: ssh\ndescription: |\n  Connects\n  \u001b[2Jto machines.\ntriggers: [ssh]\n---\nBody.\n",
  "skills/shell/SKILL.md":
    "---\nname: Shell\ndescription: Runs.\nenabled_by_default: false\n---\n## Tools\n\n### run\ndescription: d\nentrypoint: bash:{c}\nschema: {}\n",
  "skills/demo/SKILL.md": "---\nname: demo\ndescription: Echoes.\nmcp_server: {command: node}\n---\n",
};

test("/skill list shows state and kind, enable and disable change this session alone", async () => {
  using directory = agentDirectory(FILES);
  const agent = await openScriptAgent(directory.path, []);
  const run = (words: string, session = "main"): Promise<string> => runSkillCommand(words, agent.session(session));
  expect(await run("list")).toBe(
    "demo   enabled   MCP server  Echoes.\nShell  disabled  1 tool      Runs.\nssh    enabled   knowledge   Connects to machines.",
  );
  expect(await run("enable Shell")).toBe("Shell is enabled in this session, from the next prompt on.");
  expect(await run("  disable   ssh ")).toBe("ssh is disabled in this session, from the next prompt on.");
  expect(await run("list")).toMatch(/Shell {2}enabled.*\nssh {4}disabled/);
  await run("disable demo", "two");
  expect(await run("list", "two")).toMatch(/Shell {2}disabled.*\nssh {4}enabled/);
  await agent.close();
});

test("/skill with other words says what it does, and an unknown name which are known", async () => {
  using directory = agentDirectory(FILES);
  const agent = await openScriptAgent(directory.path, []);
  for (const words of ["", "enable", "lists", "list all"]) {
    expect(await runSkillCommand(words, agent.session())).toStartWith("/skill list shows");
  }
  const failure = await runSkillCommand("enable shell", agent.session()).catch(String);
  expect(failure).toContain("demo, Shell, ssh");
  await agent.close();
  using empty = agentDirectory({});
  const other = await openScriptAgent(empty.path, []);
  expect(await runSkillCommand("list", other.session())).toContain("skills/NAME/SKILL.md");
  await other.close();
});

test("the words behind /skill are completed", () => {
  const complete = skillWords([{ name: "ssh", description: "Connects.", path: "skills/ssh/SKILL.md" }]);
  expect(complete("").map(({ value }) => value)).toStrictEqual(["list", "enable ", "disable "]);
  expect(complete("enable s")).toStrictEqual([{ value: "enable ssh", description: "Connects." }]);
});
