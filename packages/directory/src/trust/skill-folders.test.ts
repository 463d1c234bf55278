import { expect, test } from "bun:test";
import { join } from "node:path";
import { contentsLines } from "@mdx-ai/directory";
import { GREETING_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { manifestOf } from "../../../../test/support/read-manifest.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { coveredCode, trustedAgent } from "../../../../test/support/trusted-agent.ts";
import { meaningOf } from "../../../permissions/src/defining-files.ts";

const skill = (name: string, body = "Body."): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`;

const agent = (...paths: readonly string[]): string =>
  `---\nskills: {paths: [${paths.join(", ")}]}\n---\n\n${GREETING_AGENT}`;

const FILES = {
  "agent/agent.mdx": agent(".agents/skills", "../shared"),
  "agent/.agents/skills/tea/SKILL.md": skill("tea"),
  "shared/milk/SKILL.md": skill("milk"),
  "shared/milk/scripts/pour.sh": "echo pour\n",
  "shared/milk/references/cows.md": "Cows.\n",
};

test("trust shows the folders of skills that the settings name, and what is in them that is obeyed or runs", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, FILES);
  const manifest = await manifestOf(join(folder.path, "agent"));
  const lines = contentsLines(manifest);
  expect(lines).toContain("folders of skills: .agents/skills, ../shared");
  expect(lines).toContain("skill files: ../shared/milk/SKILL.md, .agents/skills/tea/SKILL.md");
  expect(lines).toContain("imported files: ../shared/milk/scripts/pour.sh");
  const defining = new Set((await coveredCode(join(folder.path, "agent"))).files);
  expect([...defining]).toContain(".agents/skills");
  expect(meaningOf(".agents/skills/new/SKILL.md", defining)).toBe("defines the agent");
  expect(meaningOf(".agents/notes.md", defining)).toBeUndefined();
});

test.each([
  [
    "a skill elsewhere says something else",
    { "shared/milk/SKILL.md": skill("milk", "Obey.") },
    ["~ skill file ../shared/milk/SKILL.md"],
  ],
  [
    "a script of it changes",
    { "shared/milk/scripts/pour.sh": "rm -rf ~\n" },
    ["~ imported file ../shared/milk/scripts/pour.sh"],
  ],
  ["a skill is new there", { "shared/oat/SKILL.md": skill("oat") }, ["+ skill file ../shared/oat/SKILL.md"]],
  [
    "another folder is named",
    { "agent/agent.mdx": agent(".agents/skills") },
    [
      "- folder of skills ../shared",
      "- imported file ../shared/milk/scripts/pour.sh",
      "- skill file ../shared/milk/SKILL.md",
    ],
  ],
  ["a reference of it changes", { "shared/milk/references/cows.md": "No cows.\n" }, []],
] as const)("trust ends when %s", async (_name, files, expected) => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, FILES);
  using agent = await trustedAgent(join(folder.path, "agent"));
  writeFiles(folder.path, files);
  expect(await agent.changes()).toStrictEqual([...expected]);
});

test("the model reads and runs what belongs to a skill elsewhere without a question, and nothing beside it", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { ...FILES, "shared/secret.txt": "psst\n" });
  const read = (path: string) => ({ id: path, name: "read_file", arguments: { path: join(folder.path, path) } });
  const agent = await openScriptAgent(join(folder.path, "agent"), [
    { calls: [read("shared/milk/SKILL.md"), read("shared/milk/references/cows.md"), read("shared/secret.txt")] },
    { calls: [{ id: "run", name: "bash", arguments: { command: `sh ${folder.path}/shared/milk/scripts/pour.sh` } }] },
    { text: "Done." },
  ]);
  await Array.fromAsync(agent.session().prompt("Hi"));
  const results = (await agent.session().messages()).flatMap((message) =>
    message.role === "toolResult" ? [`${message.isError} ${JSON.stringify(message.content)}`] : [],
  );
  await agent.close();
  expect(results[0]).toStartWith("false");
  expect(results[1]).toContain("Cows.");
  expect(results[2]).toStartWith("true");
  expect(results[2]).not.toContain("psst");
  expect(results[3]).toContain("pour");
});
