import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ToolCall } from "@mdx-ai/models";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { expandSkillCommand, skillMarks } from "./skills.ts";

const SKILL =
  "---\r\nname: tea\r\ndescription: Makes tea\r\n---\r\n\r\n# Tea\r\n\r\nBoil water in {baseDir}/pot. $& 🎉\r\n";
const skills = [
  { name: "tea", description: "Makes tea", path: "skills/tea/SKILL.md" },
  { name: "gone", description: "Is gone", path: "skills/gone/SKILL.md" },
];

/** A registry in which models call `read_file` by another name. */
const READING = { planned: [{ wire: "read", name: "read_file", origin: "builtin" }] } as const;

const call = (name: string, path: string | number): ToolCall => ({
  type: "toolCall",
  id: "a",
  name,
  arguments: { path },
});

test("a call that reads the file of a skill is recognized, whichever way its path goes", () => {
  using directory = agentDirectory({ "skills/tea/SKILL.md": SKILL, "skills/tea/more.md": "More." });
  symlinkSync(join(directory.path, "skills/tea"), join(directory.path, "link"));
  const marks = skillMarks({ skills, agentDir: directory.path }, READING);
  const paths = [
    "skills/tea/SKILL.md",
    join(directory.path, "skills/tea/SKILL.md"),
    "x/../skills//tea/SKILL.md",
    "link/SKILL.md",
  ];
  for (const path of paths) expect([path, marks.keeps(call("read", path))]).toEqual([path, true]);
  for (const path of ["skills/tea/more.md", "agent.mdx", "", "\0", 7])
    expect(marks.keeps(call("read", path))).toBe(false);
  expect(marks.keeps(call("write_file", "skills/tea/SKILL.md"))).toBe(false);
});

test("the bodies of skills are as commands put them into inputs; a removed skill has none", async () => {
  using directory = agentDirectory({ "skills/tea/SKILL.md": SKILL });
  const index = { skills, agentDir: directory.path };
  const texts = await skillMarks(index, READING).skillTexts();
  expect(texts).toEqual([await expandSkillCommand("/skill:tea", index), ""]);
  expect((await expandSkillCommand("/skill:tea for two", index)).startsWith(`${texts[0]}\n\n`)).toBe(true);
});
