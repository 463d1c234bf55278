import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importAgent, makeDirectory } from "@mdx-ai/directory/importing";
import { type AgentDirectory, type PermissionSettings, readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../support/temporary-directory.ts";

/** The directory of an imported agent, read again, and what the import said. */
interface Import {
  readonly path: string;
  readonly directory: AgentDirectory;
  readonly notes: readonly string[];
  readonly agents: readonly string[];
}

async function imported(home: TemporaryDirectory, source: string): Promise<Import> {
  const path = join(home.path, "made");
  const { notes, agents } = await makeDirectory(path, importAgent(join(home.path, source)));
  const shown = notes.map(
    ({ kind, file, line, text }) => `${kind} ${file.slice(home.path.length + 1)}:${line ?? ""} ${text}`,
  );
  return { path, directory: await readAgentDirectory(path), notes: shown, agents };
}

const errorsOf = ({ diagnostics }: AgentDirectory): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);

const PROMPTS: readonly (readonly [name: string, text: string])[] = [
  [
    "headings that are sections elsewhere",
    "# Purpose\n\nA.\n\n# Agent: Y\n\nTitle\n=====\n\n## Constraints\n\n* a\n+ b\n\n### **C** `d`",
  ],
  ["braces", "Use {name}, {}, {a, b}, {{x}}, ^\\d{3}$, `{code}` and $\\frac{1}{2}$.\n\n{alone}\n\n    {indented}"],
  ["angle brackets", "a < b, <5, <https://x.test>, Promise<Item[]>, <a@b.test>, x <= y, <T>, <br>"],
  ["tags", '<example>\nuser: hi <b>x\n</example>\n\n```\n<Tool name="x">\n```\n\n<Toolbox>\n\n</div>\n\n<img src=x>'],
  [
    "code of many kinds",
    "```js\nconst a = {b: <c/>};\n```\n\n- item\n\n  ~~~\n  {x} <y\n  ~~~\n\n`` a ` {b} `` and `<c>` {d}\n\n> ```\n> {e}\n> ```",
  ],
  ["a fence that is not closed", 'Text {a}\n\n```json\n{"a": 1}\n\n<b>'],
  ["backticks without a partner", "a ` {b} and `` {c} ` <d>"],
  ["escapes that are there", "\\{a\\} \\\\{b} \\<c> \\`{d}\\` \\*e\\*"],
  ["other languages", "你是代码审查员：检查每一处《变更》。\n\nВы — рецензент. مرحبا 👩‍💻 {имя}"],
  ["tables and links", "| a | b |\n| --- | --- |\n| {x} | <y> |\n\n[l](<u v>) ![i](x.png) [r]: http://x"],
  ["rules and dashes", "a\n\n---\n\nb: c\n\n***\n\n- - x"],
];

test("comments and tags of elements, which agent.mdx cannot show, are noted", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "p.md": 'Hi.\n\na <!-- b --> c\n\n<Tool name="x">\n\nimport a from "b"\n\nEnd.\n' });
  const { directory, notes } = await imported(home, "p.md");
  expect(errorsOf(directory)).toEqual([]);
  const { identity, tools, program } = directory.definition;
  expect(identity.prose).toBe('Hi.\n\na  c\n\n\\<Tool name="x">\n\n import a from "b"\n\nEnd.');
  expect([tools, program]).toEqual([[], undefined]);
  expect(notes.map((note) => /line (\d+)/.exec(note)?.[1])).toEqual(["3", "5", "7"]);
});

describe("a prompt reaches the model as its file shows it", () => {
  test.each(PROMPTS)("%s", async (_name, text) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "p.md": `${text}\n` });
    const { directory, notes } = await imported(home, "p.md");
    expect(errorsOf(directory)).toEqual([]);
    expect(notes).toEqual([]);
    expect(directory.definition.identity).toMatchObject({ name: "p", introduction: text });
    expect(directory.definition.tools).toEqual([]);
    expect(directory.definition.program).toBeUndefined();
  });

  test("with its line ends of any form, and without its byte order mark", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "p.md": "\uFEFF---\r\nname: Win\r\n---\r\n\r\n# A {b}\r\n\r\ntext\r\n" });
    const { directory } = await imported(home, "p.md");
    expect(directory.definition.identity).toMatchObject({ name: "Win", introduction: "# A {b}\n\ntext" });
  });

  test("with 200 KB", async () => {
    using home = temporaryDirectory();
    const text = Array.from(
      { length: 2_000 },
      (_, index) => `## Rule ${index}\n\nNever write {x${index}} <b>, as in \`{y}\`. ${"word ".repeat(11)}end`,
    ).join("\n\n");
    expect(text.length).toBeGreaterThan(200_000);
    writeFiles(home.path, { "p.md": text });
    const { directory, notes } = await imported(home, "p.md");
    expect(errorsOf(directory)).toEqual([]);
    expect(notes).toEqual([]);
    expect(directory.definition.identity.introduction === text).toBe(true);
  });

  test("with a blank before a line that would be code", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "p.md": 'export your findings\n\nimport x from "y"\n' });
    const { directory } = await imported(home, "p.md");
    expect(errorsOf(directory)).toEqual([]);
    expect(directory.definition.identity.introduction.replace(/^ /gm, "")).toBe(
      'export your findings\n\nimport x from "y"',
    );
  });
});

describe("a subagent file of Claude Code", () => {
  const subagent = (frontmatter: string): Readonly<Record<string, string>> => ({
    ".claude/agents/r.md": `---\n${frontmatter}\n---\n\nReview.\n`,
  });
  const permissionsOf = ({ directory }: Import): unknown => directory.definition.settings.permissions ?? {};

  test.each<[what: string, frontmatter: string, expected: string[]]>([
    ["a text", "tools: Read, Bash", ["bash", "read_file"]],
    ["a text without blanks", "tools: Read,Grep,Bash", ["bash", "read_file", "grep"]],
    ["a list", "tools: [Read, Write]", ["read_file", "write_file"]],
    ["a list of lines", "tools:\n  - Read\n  - mcp__x__y", ["read_file"]],
    ["a list beside broken YAML", "description: a: b: c: [\ntools:\n  - Read\n  - Bash", ["bash", "read_file"]],
    ["nothing", "tools: []", []],
    ["an empty value", "tools:", []],
    ["tools that are not here", "tools: Task, NotebookEdit", []],
    ["all that edit and search", "tools: MultiEdit, Edit, LS, Glob", ["edit_file", "glob", "list_files"]],
    [
      "less than all",
      "disallowedTools: Write, Edit",
      [
        "bash",
        "bash_output",
        "bash_stop",
        "read_file",
        "grep",
        "glob",
        "list_files",
        "web_fetch",
        "web_search",
        "todo",
      ],
    ],
    [
      "all but some",
      "tools: '*'\ndisallowedTools: [Bash]",
      ["read_file", "write_file", "edit_file", "grep", "glob", "list_files", "web_fetch", "web_search", "todo"],
    ],
  ])("declares %s", async (_what, frontmatter, expected) => {
    using home = temporaryDirectory();
    writeFiles(home.path, subagent(`name: r\n${frontmatter}`));
    const agent = importAgent(join(home.path, ".claude/agents/r.md"));
    expect(agent.builtins).toEqual(expected);
    const made = await imported(home, ".claude/agents/r.md");
    expect(errorsOf(made.directory)).toEqual([]);
    expect(readFileSync(join(made.path, "agent.mdx"), "utf8")).toContain(
      `\nbuiltins: ${expected.length === 0 ? "off" : `[${expected.join(", ")}]`}\n`,
    );
    const reads = ["read_file", "grep", "glob", "list_files"];
    const kinds = { bash: ["bash"], read_file: reads, write_file: ["write_file", "edit_file"] };
    const denied = Object.entries(kinds).flatMap(([tool, kind]) =>
      kind.some((one) => expected.includes(one)) ? [] : [tool],
    );
    expect(permissionsOf(made)).toEqual(Object.fromEntries(denied.map((tool) => [tool, "deny"])));
  });

  test.each([["name: r"], ["name: r\ntools: '*'"], ["name: r\ntools: all"]])(
    "declares all tools: %j",
    (frontmatter) => {
      using home = temporaryDirectory();
      writeFiles(home.path, subagent(frontmatter));
      expect(importAgent(join(home.path, ".claude/agents/r.md")).builtins).toBeUndefined();
    },
  );

  test("keeps what its frontmatter says, however it is written, and reports the rest with its lines", async () => {
    using home = temporaryDirectory();
    const frontmatter = [
      "name: r",
      "description: Use it when: code changed. <example>Context: x</example> \\n 'a",
      "tools: Read, Bash(git log:*), Edit",
      "model: claude-sonnet-4-5",
      "maxTurns: 7",
      "permissionMode: plan",
      "effort: high",
      "color: red",
    ].join("\n");
    writeFiles(home.path, { ...subagent(frontmatter), "CLAUDE.md": "Use tabs. See @docs/a.md\n" });
    const made = await imported(home, ".claude/agents/r.md");
    expect(errorsOf(made.directory)).toEqual([]);
    const { settings, identity } = made.directory.definition;
    expect(identity).toMatchObject({ name: "r", introduction: "Review." });
    expect(settings).toMatchObject({
      description: "Use it when: code changed. <example>Context: x</example> \\n 'a",
      model: "claude-sonnet-4-5",
      limits: { turns: 7 },
    });
    expect(Object.entries(settings.permissions ?? {})).toEqual([
      ["write_file", "deny"],
      ["bash", "deny"],
      ["bash(git log *)", "ask"],
    ]);
    expect(readFileSync(join(made.path, "AGENT.md"), "utf8")).toBe("Use tabs. See @docs/a.md\n");
    expect(made.notes.filter((note) => note.startsWith("left out"))).toEqual([
      "left out .claude/agents/r.md:8 the key effort",
      "left out .claude/agents/r.md:9 the key color",
      "left out CLAUDE.md: files that it imports with @, such as Use tabs. See @docs/a.md",
    ]);
  });

  test("takes along the skills that it names, and says which are missing", async () => {
    using home = temporaryDirectory();
    const skill = "---\nname: lint\ndescription: Lint\nallowed-tools: Bash\n---\nRun {baseDir}/run.sh\n";
    writeFiles(home.path, {
      ...subagent("name: r\nskills: lint, other"),
      ".claude/skills/lint/SKILL.md": skill,
      ".claude/skills/lint/run.sh": "true\n",
      ".claude/skills/unnamed/SKILL.md": skill,
    });
    const made = await imported(home, ".claude/agents/r.md");
    expect(made.directory.definition.skills).toMatchObject([{ name: "lint", description: "Lint" }]);
    expect(readdirSync(join(made.path, "skills/lint")).sort()).toEqual(["SKILL.md", "run.sh"]);
    expect(made.notes).toContain("left out .claude/agents/r.md:3 the skill other: there is no skills/other/SKILL.md");
    expect(made.notes).toContain("left out .claude/skills/lint/SKILL.md:4 the key allowed-tools has no effect");
  });
});

describe("a folder of another program", () => {
  const files = {
    "p/CLAUDE.md": "# Project {x}\n\nUse tabs.\n",
    "p/.claude/agents/one.md": '---\nname: one\ndescription: Says "one" & {x}\ntools: Read\n---\nFirst.\n',
    "p/.claude/agents/deep/two.md": "Second.\n",
    "p/.claude/commands/git/Fix Issue.md":
      "---\ndescription: Fix it\nallowed-tools: Bash\n---\nFix $ARGUMENTS after !`git status` in @src/a.ts\n",
    "p/.claude/commands/plain.md": "# Just do it\n\nNow.\n",
    "p/.claude/skills/plain/SKILL.md": "---\nname: plain\ndescription: A skill\n---\nText\n",
    "p/.claude/settings.json": '{"permissions": {"deny": ["Bash(rm:*)"]}}',
    "p/.mcp.json": '{"mcpServers": {"github": {"env": {"KEY": "s3cret"}}}}',
  };

  test.each(["p", "p/.claude"])("becomes a directory with its commands, skills and subagents: %s", async (source) => {
    using home = temporaryDirectory();
    writeFiles(home.path, files);
    const made = await imported(home, source);
    expect(errorsOf(made.directory)).toEqual([]);
    const { identity, skills, settings } = made.directory.definition;
    expect(identity).toMatchObject({ name: "p", introduction: "# Project {x}\n\nUse tabs." });
    expect(settings.permissions).toEqual({ "bash(rm*)": "deny" });
    expect(settings.workspace).toBe("cwd");
    expect(skills.map(({ name, description }) => [name, description])).toEqual([
      ["fix-issue", "Fix it"],
      ["plain", "A skill"],
      ["plain-2", "Just do it"],
    ]);
    const command = readFileSync(join(made.path, "skills/fix-issue/SKILL.md"), "utf8");
    expect(command).toContain("`$ARGUMENTS` is the text after these instructions");
    expect(command).toEndWith("Fix $ARGUMENTS after !`git status` in @src/a.ts\n");
    expect(made.agents).toEqual(["agents/two", "agents/one"]);
    expect(made.directory.definition.agents).toMatchObject([
      { name: "one", src: "agents/one", description: 'Says "one" & {x}' },
    ]);
    expect(made.notes.join("\n")).toContain("→ agents/two, which the agent does not call: without a description");
    for (const [agent, text] of [
      ["agents/one", "First."],
      ["agents/two", "Second."],
    ] as const) {
      const inner = await readAgentDirectory(join(made.path, agent));
      expect(errorsOf(inner)).toEqual([]);
      expect(inner.definition.identity.introduction).toBe(text);
      expect(inner.definition.settings).toMatchObject({ workspace: "cwd", permissions: { "bash(rm*)": "deny" } });
    }
    expect(made.notes).toContain(
      "left out p/.mcp.json: MCP servers: github; write them under `mcp` in agent.mdx, or name the file with --mcp-config",
    );
    expect(made.notes.join("\n")).not.toContain("s3cret");
  });

  test("of opencode has agents and commands under other names", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "o/AGENTS.md": "Use tabs.\n",
      "o/.opencode/agent/a.md": "---\ndescription: d\nmode: subagent\n---\nText.\n",
      "o/.opencode/agent/b.md": "---\ndescription: d\nmode: primary\n---\nText.\n",
      "o/.opencode/command/go.md": "Go.\n",
    });
    const made = await imported(home, "o");
    expect(made.notes.filter((note) => note.includes("/agent/"))).toEqual([
      "translated o/.opencode/agent/a.md:3 mode subagent → an agent that another one can call",
      "translated o/.opencode/agent/a.md: → agents/a",
      "translated o/.opencode/agent/b.md:3 mode primary → an agent that its user starts",
      "translated o/.opencode/agent/b.md: → agents/b, which the agent does not call: it is an agent to start, not to call",
    ]);
    expect(made.directory.definition.identity.introduction).toBe("Use tabs.");
    expect(made.directory.definition.skills.map(({ name }) => name)).toEqual(["go"]);
    expect(made.agents).toEqual(["agents/a", "agents/b"]);
    expect(made.directory.definition.agents).toMatchObject([{ name: "a", src: "agents/a", description: "d" }]);
  });
});

describe("an agent file of opencode", () => {
  test("keeps model, temperature, turns, tools and permissions", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "review.md": `---
description: Reviews: carefully
mode: subagent
model: anthropic/claude-sonnet-4-5
temperature: 0.2
steps: 9
tools:
  write: false
  "mcp_*": true
permission:
  edit: deny
  read: {"*.env": deny}
  bash:
    "*": ask
    "git diff*": allow
    "git push": deny
  webfetch: allow
top_p: 0.9
---
Review {this}.
`,
    });
    const made = await imported(home, "review.md");
    expect(errorsOf(made.directory)).toEqual([]);
    const { settings, identity } = made.directory.definition;
    expect(identity).toMatchObject({ name: "review", introduction: "Review {this}." });
    expect(settings).toMatchObject({
      description: "Reviews: carefully",
      model: "anthropic/claude-sonnet-4-5",
      temperature: 0.2,
      limits: { turns: 9 },
    });
    expect(Object.entries(settings.permissions ?? {})).toEqual([
      ["write_file", "deny"],
      [`read_file(${home.path}/**/*.env)`, "deny"],
      ["read_file(**/*.env)", "deny"],
      ["bash", "ask"],
      ["bash(git diff*)", "allow"],
      ["bash(git push)", "deny"],
    ]);
    expect(made.notes.filter((note) => note.startsWith("left out"))).toEqual([
      "left out review.md:7 mcp_*: there is no such tool",
      "left out review.md:10 permission webfetch allow: all calls are not allowed by an import",
      "left out review.md:18 the key top_p",
    ]);
  });

  test.each([
    ["mode: primary\ncolor: red\nhidden: true", ["3 the key color", "4 the key hidden"]],
    ["tools: {}\nmode: helper", ["3 mode helper: expected primary, subagent, all"]],
    ["tools: {}\nmode:", ["3 mode null: expected primary, subagent, all"]],
    ["tools: {}\nsteps: 2.5\nmaxSteps: 4", ["3 the key steps: expected a whole number from 1", "4 the key maxSteps"]],
    ["tools: {}\ntemperature: hot", ["3 the key temperature: expected a number from 0"]],
  ])("loses no key without a line: %j", async (frontmatter, expected) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "a.md": `---\n${frontmatter}\n---\nText.\n` });
    const { notes } = await imported(home, "a.md");
    const leftOut = notes.filter((note) => note.startsWith("left out"));
    expect(leftOut.toSorted()).toEqual(expected.map((note) => `left out a.md:${note}`));
  });

  test.each([
    ["primary", "an agent that its user starts"],
    ["subagent", "an agent that another one can call"],
    ["all", "an agent that its user starts or another one calls"],
  ])("says who starts an agent of mode %s", async (mode, expected) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "a.md": `---\nmode: ${mode}\n---\nText.\n` });
    expect((await imported(home, "a.md")).notes).toEqual([`translated a.md:2 mode ${mode} → ${expected}`]);
  });

  test.each<[frontmatter: string, expected: PermissionSettings]>([
    ["permission: allow", {}],
    ["permission: {edit: allow, bash: ask}", { bash: "ask" }],
    ["permission: {grep: {'*': allow, 'key*': deny}, list: ask}", { grep: "deny", list_files: "ask" }],
    ["permission: deny", { "*": "deny" }],
    ["tools: {'*': false, read: true}", { bash: "deny", write_file: "deny" }],
    ["tools: {bash: false}\npermission: {bash: allow}", { bash: "deny" }],
  ])("is never widened: %s", async (frontmatter, expected) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "a.md": `---\nmode: primary\n${frontmatter}\n---\nText.\n` });
    const { directory } = await imported(home, "a.md");
    expect(directory.definition.settings.permissions ?? {}).toEqual(expected);
  });
});

test("data of a skill beyond 100 MB is left out, and said", async () => {
  using home = temporaryDirectory();
  const skill = "p/.claude/skills/big";
  writeFiles(home.path, { [`${skill}/SKILL.md`]: "---\nname: big\ndescription: d\n---\nx\n", [`${skill}/b.txt`]: "b" });
  // Sparse: no bytes on the disk.
  for (const name of ["a.bin", "c.bin"]) {
    writeFileSync(join(home.path, skill, name), "");
    truncateSync(join(home.path, skill, name), 2 ** 31);
  }
  const made = await imported(home, "p");
  expect(readdirSync(join(made.path, "skills/big")).sort()).toEqual(["SKILL.md", "b.txt"]);
  expect(made.notes.filter((note) => note.startsWith("left out"))).toEqual([
    `left out ${skill}/SKILL.md: a.bin (2048 MB): the files of a skill are copied up to 100 MB`,
    `left out ${skill}/SKILL.md: c.bin (2048 MB): the files of a skill are copied up to 100 MB`,
  ]);
});

describe("a directory is made whole or not at all", () => {
  test.each<[what: string, files: Readonly<Record<string, string>>, source: string, problem: string]>([
    ["an empty file", { "a.md": "---\nname: a\n---\n" }, "a.md", "is empty"],
    ["nothing", {}, "a.md", "does not exist"],
    ["a folder without an agent", { "f/x.txt": "" }, "f", "contains no agent"],
    ["an agent directory", { "f/agent.mdx": "# Agent: A" }, "f", "is an agent directory already"],
  ])("%s is refused", async (_what, files, source, problem) => {
    using home = temporaryDirectory();
    writeFiles(home.path, files);
    expect(() => importAgent(join(home.path, source))).toThrow(problem);
  });

  test.each(["made/x.txt", "made"])("where %s exists nothing is changed", async (present) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "a.md": "Text", [present]: "mine" });
    await expect(imported(home, "a.md")).rejects.toThrow("name a new folder");
    expect(readdirSync(home.path).sort()).toEqual(["a.md", "made"]);
  });

  test("a skill with a mistake is left out, and nothing stays beside the directory", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "p/.claude/skills/bad/SKILL.md": "",
      "p/.claude/skills/good/SKILL.md": "---\ndescription: d\n---\nx\n",
    });
    const made = await imported(home, "p");
    expect(errorsOf(made.directory)).toEqual([]);
    expect(made.directory.definition.skills.map(({ name }) => name)).toEqual(["good"]);
    expect(readdirSync(home.path).sort()).toEqual(["made", "p"]);
    expect(existsSync(join(made.path, "skills/good"))).toBe(true);
  });
});

test.each(["p/prompt.md", "p/.claude/agents/r.md", "p/.claude/settings.json"])(
  "a file that is not UTF-8 is no source: %s",
  (path) => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "p/CLAUDE.md": "Help.",
      "p/.claude/agents/q.md": "---\nname: q\n---\nHelp.\n",
      [path]: "",
    });
    writeFileSync(join(home.path, path), Buffer.from('"caf\xe9"', "latin1"));
    const source = path.endsWith("prompt.md") ? path : "p";
    expect(() => importAgent(join(home.path, source))).toThrow(`${join(home.path, path)} is not valid UTF-8; save it`);
  },
);
