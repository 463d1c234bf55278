import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Two closing tags that close nothing, a warning and an error in the frontmatter. */
const BROKEN =
  "---\nmodell: opus\ntemperature: hot\n---\n\n# Agent: Broken\n\n## Purpose\n\nBe </Tool>5 or less.\n\nAnd </Param>lone.\n";

describe("mdx-ai check", () => {
  test("finds nothing in a good directory", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent/agent.mdx": GREETING_AGENT,
      "agent/skills/tea/SKILL.md": "---\nname: tea\ndescription: Tea\n---\nx\n",
    });
    const result = await runCommandLine(["check", "agent"], { home: home.path });
    expect(result).toEqual({ exitCode: 0, stdout: "No mistakes found. Run it: mdx-ai ./agent\n", stderr: "" });
  });

  test("prints every mistake at its place with a hint and exits with 2", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": BROKEN });
    const { exitCode, stdout, stderr } = await runCommandLine(["check", "agent"], { home: home.path });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    expect(stdout).toMatch(
      /^agent\/agent\.mdx:2:1 warning \S+ [^\n]+\n {2}2 \| modell: opus\n {4}\| \^~{5}\n {2}[^\n]*`model`/m,
    );
    expect(stdout).toMatch(/^agent\/agent\.mdx:3:\d+ error \S+ /m);
    expect(stdout).toMatch(/^agent\/agent\.mdx:10:\d+ error \S+ /m);
    expect(stdout).toMatch(/^agent\/agent\.mdx:12:\d+ error \S+ /m);
    expect(stdout).toMatch(/\n\n3 errors, 1 warning; 3 of them can be fixed: mdx-ai check agent --fix\n$/);
  });

  test("says the same that agent says, which runs nothing then", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": BROKEN });
    const checked = await runCommandLine(["check", "agent"], { home: home.path });
    const run = await runCommandLine(["agent", "agent", "--trust", "--prompt", "hi"], { home: home.path });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    const places = (text: string): string[] => text.match(/^agent\/agent\.mdx:.*$/gm) ?? [];
    expect(places(run.stderr)).toEqual(places(checked.stdout));
    expect(run.stderr).toMatch(/mdx-ai: agent cannot run until its \d errors are fixed\n$/);
  });

  test("exits with 0 where there are warnings alone", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": `---\nmodle: opus\n---\n\n${MINIMAL_AGENT}` });
    const result = await runCommandLine(["check"], { home: home.path });
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toEndWith("0 errors, 1 warning; it can be fixed: mdx-ai check . --fix\n");
  });

  test.each<{ model: string; places: readonly string[] }>([
    { model: "my-model", places: ["2:8"] },
    { model: "[opus, anthropc/x, llama3]", places: ["2:15", "2:27"] },
    { model: "[inherit, sonnet]", places: [] },
  ])("reports models of unknown vendors before a run: $model", async ({ model, places }) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": `---\nmodel: ${model}\n---\n\n${MINIMAL_AGENT}` });
    const code = places.length === 0 ? 0 : 2;
    const { exitCode, stdout } = await runCommandLine(["check"], { home: home.path });
    expect(exitCode).toBe(code);
    const found = Array.from(stdout.matchAll(/\d+:\d+(?= error setting-type)/g), ([place]) => place);
    expect(found).toEqual([...places]);
    const environment = { ANTHROPIC_API_KEY: "k" };
    const run = await runCommandLine(["models"], { home: home.path, environment });
    expect(run.stdout.includes("claude-sonnet")).toBe(code === 0);
  });

  test("exits with 0 for bad skills, which it names", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "skills/tea/SKILL.md": "", "skills/mint/SKILL.md": "Brews." });
    const { exitCode, stdout } = await runCommandLine(["check"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^skills\/mint\/SKILL.md:1:1 warning skill-description[^/]*first paragraph is used/m);
    expect(stdout).toMatch(/^skills\/tea\/SKILL.md:1:1 warning skill-description[^/]*ignored/m);
    const run = await runCommandLine(["agent", "--trust", "--model", "offline", "--prompt", "hi"], { home: home.path });
    expect(run.exitCode).toBe(0);
  });

  test.each([
    { args: ["--strict"], notes: 2, end: "0 errors, 0 warnings, 2 notes; run it: mdx-ai .\n" },
    { args: [], notes: 0, end: "No mistakes found. Run it: mdx-ai .\n" },
  ])("shows notes with --strict alone: $args", async ({ args, notes, end }) => {
    using home = temporaryDirectory();
    const skill = "---\nname: Mint\ndescription: Brews mint tea.\n---\nBrew.\n";
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "skills/tea/SKILL.md": skill });
    const shown = await runCommandLine(["check", ...args], { home: home.path });
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout.match(/:2:7 note skill-name/g) ?? []).toHaveLength(notes);
    expect(shown.stdout).toEndWith(end);
    const { stdout } = await runCommandLine(["check", "--json", ...args], { home: home.path });
    expect(JSON.parse(stdout)).toMatchObject({ errors: 0, warnings: 0, notes });
  });

  test("prints JSON that says all", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": BROKEN });
    const { exitCode, stdout } = await runCommandLine(["check", "agent", "--json"], { home: home.path });
    expect(exitCode).toBe(2);
    const report: unknown = JSON.parse(stdout);
    const files = [{ file: "agent.mdx", kind: "markdown" }];
    expect(report).toMatchObject({ path: join(home.path, "agent"), files, warnings: 1 });
    expect(report).toHaveProperty("diagnostics.0", expect.objectContaining({ file: "agent.mdx", line: 2, column: 1 }));
  });

  test("says in JSON of each file of prose whether it is Markdown or MDX", async () => {
    using home = temporaryDirectory();
    const skill = "---\nname: tea\ndescription: Tea\n---\nimport { tea } from './tea.ts'\n";
    const files = { "agent/heartbeat.md": "# Heartbeat\n\nInterval: 1h\n", "agent/skills/tea/SKILL.md": skill };
    writeFiles(home.path, { ...files, "agent/agent.mdx": `export const size = 2\n\n${MINIMAL_AGENT}` });
    const { stdout } = await runCommandLine(["check", "agent", "--json"], { home: home.path });
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        { file: "agent.mdx", kind: "mdx" },
        { file: "heartbeat.md", kind: "markdown" },
        { file: "skills/tea/SKILL.md", kind: "markdown" },
      ],
    });
  });

  test("runs nothing and needs no trust", async () => {
    using home = temporaryDirectory();
    const mark = JSON.stringify(join(home.path, "mark"));
    const code = `process.getBuiltinModule("node:fs").writeFileSync(${mark}, "ran")`;
    writeFiles(home.path, {
      "agent/agent.mdx": `${MINIMAL_AGENT}\nexport const seen = true\n\n{seen && ${code}}\n\n<Tool name="t" description="T">\n\n\`\`\`ts\n${code};\nasync function execute() { return ""; }\n\`\`\`\n\n</Tool>\n`,
      "agent/modules/m.ts": `${code};\nexport default { describe: () => ({ name: "m", description: "M" }), initialize: async () => {} };\n`,
    });
    const result = await runCommandLine(["check", "agent"], { home: home.path });
    expect(result.exitCode).toBe(0);
    expect(await Bun.file(join(home.path, "mark")).exists()).toBe(false);
  });

  test.each([{ args: ["check"] }, { args: ["inspect"] }, { args: ["agent", "--prompt", "hi"] }])(
    "runs no macro of a tool, as $args",
    async ({ args }) => {
      using home = temporaryDirectory();
      const code = `import { mark } from "${home.path}/macro.ts" with { type: "macro" };\nfunction execute() { return mark(); }`;
      writeFiles(home.path, {
        "agent.mdx": `${MINIMAL_AGENT}\n<Tool name="t" description="T">\n\n\`\`\`ts\n${code}\n\`\`\`\n\n</Tool>\n`,
        "macro.ts": `import { writeFileSync } from "node:fs";\nwriteFileSync("${home.path}/mark", "");\nexport const mark = () => "";\n`,
      });
      const result = await runCommandLine(args, { home: home.path });
      expect(result.exitCode).toBe(2);
      expect(result.stdout + result.stderr).toContain("Macros are disabled");
      expect(await Bun.file(join(home.path, "mark")).exists()).toBe(false);
    },
  );

  test("shows nothing of a file that a terminal would act upon", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": `---\n"a\\u001b[2J\\u202eb": x\n---\n\n${MINIMAL_AGENT}` });
    const result = await runCommandLine(["check"], { home: home.path });
    expect(result.stdout).toContain("warning");
    expect(result.stdout).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });
});
