import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const OTHER = GREETING_AGENT.replace('name="loud" type="boolean"', 'name="loud" type="string"')
  .replace("Greet people.", "Greet people, and be brief about it.")
  .replace("# Agent", "---\nmodel: openai/gpt-5.4\npermissions: {bash: allow}\n---\n\n# Agent");

const homeWithTwo = (): TemporaryDirectory => {
  const home = temporaryDirectory();
  const mark = JSON.stringify(join(home.path, "mark"));
  writeFiles(home.path, {
    "one/agent.mdx": GREETING_AGENT,
    "other/agent.mdx": OTHER,
    "other/skills/sum/SKILL.md": "---\nname: sum\ndescription: Sums.\n---\nSum.\n",
    "other/modules/run.ts": `require("node:fs").writeFileSync(${mark}, "ran");`,
  });
  return home;
};

/** Without the lines of the schema. */
const EXPECTED = [
  "widened   + model (openai/gpt-5.4)",
  "widened   + module file modules/run.ts",
  "widened   + permission bash (allow)",
  'changed   ~ tool "greet": parameters',
  "noted     ~ prose",
  "noted     + skill sum",
  'noted     ~ tool "greet": schema',
];

describe("mdx-ai diff", () => {
  test("shows what of prompt, tools, permissions, skills and model differs, and runs nothing of untrusted directories", async () => {
    using home = homeWithTwo();
    const result = await runCommandLine(["diff", "one", "other"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 1, stderr: "" });
    const [sizes, ...lines] = result.stdout
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("  "));
    expect(sizes).toMatch(
      /^Before the first message: system prompt about [\d,]+ → [\d,]+ tokens, tools about [\d,]+ tokens$/,
    );
    expect(lines).toStrictEqual(EXPECTED);
    expect(result.stdout).toMatch(/\n {10}- +"type": "boolean"\n {10}\+ +"type": "string"\n/);
    expect(existsSync(join(home.path, "mark"))).toBe(false);
    expect(readdirSync(join(home.path, "other")).toSorted()).toStrictEqual(["agent.mdx", "modules", "skills"]);
  });

  test("is 0 where nothing differs", async () => {
    using home = homeWithTwo();
    const result = await runCommandLine(["diff", "one", "one"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\nNo differences\.\n$/) });
  });

  test("compares a lock file with a directory", async () => {
    using home = homeWithTwo();
    await runCommandLine(["lock", "one"], { home: home.path });
    const result = await runCommandLine(["diff", "one/agent.lock.json", "other"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`${EXPECTED.join("\n")}\n`) });
    expect(await runCommandLine(["diff", "one/agent.lock.json", "one"], { home: home.path })).toMatchObject({
      exitCode: 0,
    });
  });

  test("--json has sizes and differences", async () => {
    using home = homeWithTwo();
    const { stdout, exitCode } = await runCommandLine(["diff", "one", "other", "--json"], { home: home.path });
    expect(exitCode).toBe(1);
    const size = { characters: expect.any(Number), tokens: expect.any(Number) };
    expect(JSON.parse(stdout)).toMatchObject({
      isEqual: false,
      prompt: { before: { system: size, tools: size }, after: { system: size, tools: size } },
      differences: expect.arrayContaining([{ grade: "noted", type: "added", name: "skill sum" }]),
    });
  });

  test.each([
    ["one side alone", ["one"]],
    ["what is neither a directory nor a lock file", ["one", "nowhere"]],
    ["a file that is no lock file", ["one", "one/agent.mdx"]],
  ])("is 2 for %s", async (_title, sides) => {
    using home = homeWithTwo();
    expect(await runCommandLine(["diff", ...sides], { home: home.path })).toMatchObject({ exitCode: 2, stdout: "" });
  });
});
