import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT, writeText } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const skill = (name: string, description = `About ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;

const agent = (skills: string): string => `---\nskills: ${skills}\n---\n${MINIMAL_AGENT}`;
const shown = ({ file, severity, rule }: { file: string; severity: string; rule: string }): string =>
  `${file} ${severity} ${rule}`;

test("skills in categories are found, also behind links within the agent directory", async () => {
  using directory = agentDirectory({
    "skills/kitchen/tea/SKILL.md": skill("tea"),
    "skills/kitchen/hot/milk/SKILL.md": skill("milk"),
    "skills/kitchen/notes/readme.md": "x",
    "shared/cake/SKILL.md": skill("cake"),
    "skills/empty/readme.md": "x",
  });
  symlinkSync(join(directory.path, "shared"), join(directory.path, "skills/linked"));
  symlinkSync("..", join(directory.path, "skills/kitchen/up"));
  const { definition, diagnostics } = await readAgentDirectory(directory.path);
  expect(definition.skills.map(({ path }) => path)).toContain("skills/kitchen/tea/SKILL.md");
  expect([...new Set(definition.skills.map(({ name }) => name))].sort()).toStrictEqual(["cake", "milk", "tea"]);
  expect(diagnostics.filter(({ rule }) => rule !== "skill-name-duplicate").map(shown)).toStrictEqual([
    "skills/empty warning skill-file-missing",
    "skills/kitchen/up warning file-unreadable",
  ]);
});

describe("skills of other folders", () => {
  test("come after those of the agent; the nearer of two names wins, with a warning", async () => {
    using home = temporaryDirectory();
    writeText(join(home.path, ".claude/skills/tea/SKILL.md"), skill("tea", "From home."));
    writeText(join(home.path, ".claude/skills/home/skill.md"), skill("home"));
    using directory = agentDirectory({
      "agent.mdx": agent("{paths: [.agents/skills, ~/.claude/skills]}"),
      "skills/tea/SKILL.md": skill("tea", "Own."),
      ".agents/skills/milk/SKILL.MD": skill("milk"),
    });
    const read = await readAgentDirectory(directory.path, { home: home.path });
    expect(read.definition.skills.map(({ name, description, path }) => [name, description, path])).toStrictEqual([
      ["tea", "Own.", "skills/tea/SKILL.md"],
      ["milk", "About milk.", ".agents/skills/milk/SKILL.MD"],
      ["home", "About home.", join(home.path, ".claude/skills/home/skill.md")],
    ]);
    expect(read.diagnostics.map(shown)).toStrictEqual([
      `${home.path}/.claude/skills/tea/SKILL.md warning skill-name-duplicate`,
    ]);
  });

  test("are cached, and read again when they change", async () => {
    using cache = temporaryDirectory();
    using directory = agentDirectory({
      "agent.mdx": agent("{paths: shared}"),
      "skills/tea/SKILL.md": skill("tea"),
      "shared/milk/SKILL.md": skill("milk", "First."),
    });
    const read = async () => {
      const { definition } = await readAgentDirectory(directory.path, { cacheDirectory: cache.path });
      return definition.skills.map(({ description }) => description);
    };
    expect(await read()).toStrictEqual(["About tea.", "First."]);
    expect(await read()).toStrictEqual(["About tea.", "First."]);
    writeFileSync(join(directory.path, "shared/milk/SKILL.md"), skill("milk", "Second."));
    expect(await read()).toStrictEqual(["About tea.", "Second."]);
  });

  test("are missing with a warning, in the home folder with a note", async () => {
    using home = temporaryDirectory();
    using directory = agentDirectory({
      "agent.mdx": agent("{paths: [lost, ~/lost]}"),
      "skills/tea/SKILL.md": skill("tea"),
    });
    const { diagnostics } = await readAgentDirectory(directory.path, { home: home.path });
    expect(diagnostics.map(shown)).toStrictEqual([
      `${home.path}/lost note skills-missing`,
      "lost warning skills-missing",
    ]);
  });

  test("take the place of the agent's own if the user names them", async () => {
    using folder = temporaryDirectory();
    writeText(join(folder.path, "milk/SKILL.md"), skill("milk"));
    using directory = agentDirectory({
      "agent.mdx": agent("{paths: [more]}"),
      "skills/tea/SKILL.md": skill("tea"),
      "more/sugar/SKILL.md": skill("sugar"),
    });
    const { definition } = await readAgentDirectory(directory.path, { skillFolders: [folder.path] });
    expect(definition.skills.map(({ name }) => name)).toStrictEqual(["milk", "sugar"]);
  });
});

describe("a skill behind a symbolic link", () => {
  test("is read if it is in the agent directory or in a folder of skills, and left out with a warning elsewhere", async () => {
    using elsewhere = temporaryDirectory();
    writeText(join(elsewhere.path, "evil/SKILL.md"), skill("evil"));
    using shared = temporaryDirectory();
    writeText(join(shared.path, "milk/SKILL.md"), skill("milk"));
    using directory = agentDirectory({
      "agent.mdx": agent(`{paths: ["${shared.path}"]}`),
      ".agents/skills/tea/SKILL.md": skill("tea"),
    });
    const skills = join(directory.path, "skills");
    mkdirSync(skills);
    symlinkSync("../.agents/skills/tea", join(skills, "tea"));
    symlinkSync(join(elsewhere.path, "evil"), join(skills, "evil"));
    mkdirSync(join(skills, "file"));
    symlinkSync(join(elsewhere.path, "evil/SKILL.md"), join(skills, "file/SKILL.md"));
    symlinkSync(join(elsewhere.path, "evil"), join(shared.path, "evil"));
    symlinkSync("milk", join(shared.path, "cream"));
    const { definition, diagnostics } = await readAgentDirectory(directory.path);
    expect(definition.skills.map(({ name, path }) => [name, path])).toStrictEqual([
      ["tea", "skills/tea/SKILL.md"],
      ["milk", `${shared.path}/cream/SKILL.md`],
    ]);
    expect(diagnostics.map(shown)).toContain("skills/evil/SKILL.md warning skill-link");
    expect(diagnostics.map(shown)).toContain("skills/file/SKILL.md warning skill-link");
    expect(diagnostics.map(shown)).toContain(`${shared.path}/evil/SKILL.md warning skill-link`);
  });
});
