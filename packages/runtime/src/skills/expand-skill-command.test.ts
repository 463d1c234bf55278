import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SkillFileError, UnknownSkillError } from "@mdx-ai/runtime";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { expandSkillCommand, type SkillIndex } from "./skills.ts";

const FILES: Readonly<Record<string, string>> = {
  "skills/packing/SKILL.md":
    "---\nname: packing\ndescription: Packs\n---\n\nRead {baseDir}/list.md, then {baseDir}/$&.md.\n",
  "skills/pack/SKILL.md": "---\nname: pack\n---\nShort.",
  "skills/trip plan/SKILL.md": "---\nname: trip plan\n---\nPlan it.",
  "skills/windows/SKILL.md": "\uFEFF---\r\nname: windows\r\n---\r\nOne\r\nTwo\r\n",
  "skills/empty/SKILL.md": "---\nname: empty\n---\n",
};

const skills = Object.keys(FILES).map((path) => ({ name: path.split("/")[1] ?? "", description: "", path }));

function index(directory: string): SkillIndex {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return { skills, agentDir: directory };
}

test("a skill command becomes the skill's body with {baseDir} replaced and the arguments after it", async () => {
  using agent = temporaryDirectory();
  const text = await expandSkillCommand("/skill:packing Vienna in {baseDir},\nthree days ", index(agent.path));
  const folder = join(agent.path, "skills/packing");
  expect(text).toBe(`Read ${folder}/list.md, then ${folder}/$&.md.\n\nVienna in {baseDir},\nthree days`);
});

test.each([
  ["without arguments", "/skill:pack", "Short."],
  ["whose name another name begins with", "/skill:pack it", "Short.\n\nit"],
  ["with a name that holds a space", "/skill:trip plan to Rome", "Plan it.\n\nto Rome"],
  ["after white space", "\n /skill:pack\tnow", "Short.\n\nnow"],
  ["of a file with CRLF and a byte-order mark", "/skill:windows", "One\r\nTwo"],
  ["with an empty body", "/skill:empty only this", "only this"],
])("a command %s is expanded", async (_name, command, expected) => {
  using agent = temporaryDirectory();
  expect(await expandSkillCommand(command, index(agent.path))).toBe(expected);
});

test.each([
  "hello",
  "",
  "/skills",
  "/skill packing",
  "use /skill:packing",
  " spaces stay ",
  "skill:packing",
  "/SKILL:packing",
])("%j is no skill command and stays as it is", async (text) => {
  using agent = temporaryDirectory();
  expect(await expandSkillCommand(text, index(agent.path))).toBe(text);
});

test.each([
  ["/skill:pakcing Vienna", 'there is no skill "pakcing"; did you mean "packing"?'],
  ["/skill:PACK", 'there is no skill "PACK"; did you mean "pack"?'],
  ["/skill:../../etc/passwd", 'there is no skill "../../etc/passwd"'],
  ["/skill:__proto__", 'there is no skill "__proto__"'],
  ["/skill:", "/skill: needs the name of a skill"],
  ["/skill: packing", "/skill: needs the name of a skill"],
])("%j names the skills there are", async (command, beginning) => {
  using agent = temporaryDirectory();
  const error = await expandSkillCommand(command, index(agent.path)).catch((error) => error);
  expect(error).toBeInstanceOf(UnknownSkillError);
  expect(error.message).toBe(`${beginning} (the available skills are packing, pack, trip plan, windows, empty)`);
  expect(error.available).toEqual(skills.map(({ name }) => name));
});

test("an agent without skills says so", async () => {
  using agent = temporaryDirectory();
  const expansion = expandSkillCommand("/skill:packing", { skills: [], agentDir: agent.path });
  await expect(expansion).rejects.toThrow('there is no skill "packing" (this agent has no skills)');
});

test("a skill whose file is gone names the file", async () => {
  using agent = temporaryDirectory();
  const error = await expandSkillCommand("/skill:pack", { skills, agentDir: agent.path }).catch((error) => error);
  expect(error).toBeInstanceOf(SkillFileError);
  expect(error.message).toStartWith("the skill file skills/pack/SKILL.md cannot be read: ENOENT");
});
