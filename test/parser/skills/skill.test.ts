import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSkill } from "@mdx-ai/parser/parse";
import { placesOf } from "../../support/diagnostic-places.ts";

const corpus = join(import.meta.dir, "../fixtures/skills");

/** Folder, the description that a lenient loader finds, and what a strict reader says. */
const wild: readonly [string, string | undefined, readonly string[]][] = [
  ["block-description", "Folds its description over several lines.", []],
  ["byte-order-mark", "Starts with a mark that editors of Windows write.", []],
  ["junk-line", "Survives a line of junk.", ["3:1 skill-frontmatter"]],
  ["markdown-in-value", "*Strong* words & `code`: all of them", ["3:14 skill-frontmatter"]],
  ["name-only-in-folder", "Takes its name from its folder.", []],
  ["no-description", undefined, ["2:1 skill-description"]],
  ["no-frontmatter", undefined, ["1:1 skill-description"]],
  ["not-closed", "Forgets the second border.", []],
  ["numbers-in-metadata", "Has a version that is a number.", ["5:3 skill-field"]],
  ["rules-in-body", "Draws lines between its chapters.", []],
  ["tabs", "Indents with tabs.", ["4:1 skill-frontmatter"]],
  ["template-braces", "{{ description }} of a template", ["3:32 skill-frontmatter"]],
  ["text-before", "Has a licence text before its frontmatter.", []],
  ["tools-as-list", "Lists its tools as YAML.", ["4:16 skill-field"]],
  ["unclosed-quote", "Reads logs and says what went wrong", ["3:14 skill-frontmatter"]],
  ["unquoted-colons", 'Use when: the user asks for PDF files. Example: "make a PDF"', ["3:14 skill-frontmatter"]],
  ["windows-lines", "Ends its lines as Windows does.", []],
];

describe("a skill as found in the wild is read", () => {
  test("all of the corpus is in the table", () =>
    expect(readdirSync(corpus).sort()).toEqual(wild.map(([name]) => name)));

  for (const [folder, description, places] of wild) {
    test(folder, () => {
      const [file = ""] = readdirSync(join(corpus, folder));
      const path = `skills/${folder}/${file}`;
      const { skill, diagnostics } = parseSkill(readFileSync(join(corpus, folder, file), "utf8"), path);
      expect(skill).toEqual(description === undefined ? undefined : { name: folder, description, path });
      expect(placesOf(diagnostics).slice(0, 1)).toEqual([...places]);
      expect(diagnostics.some(({ severity }) => severity === "error")).toBe(description === undefined);
    });
  }
});

describe("what the standard does not allow is warned of, and the skill is loaded", () => {
  const long = "x".repeat(1_025);
  const rows: readonly [string, string, readonly string[]][] = [
    ["a name that is not its folder's", "name: other\ndescription: d", ["2:7 skill-name"]],
    ["a name in capitals", "name: My_Skill\ndescription: d", ["2:7 skill-name", "2:7 skill-name"]],
    ["a name with two hyphens", "name: a--b\ndescription: d", ["2:7 skill-name", "2:7 skill-name"]],
    ["a name that is too long", `name: ${"a".repeat(65)}\ndescription: d`, ["2:7 skill-name", "2:7 skill-name"]],
    ["a description that is too long", `name: tidy\ndescription: ${long}`, ["3:14 skill-description-length"]],
    ["a compatibility that is too long", `name: tidy\ndescription: d\ncompatibility: ${long}`, ["4:16 skill-field"]],
    ["tools with commas", "name: tidy\ndescription: d\nallowed-tools: Bash, Read", ["4:16 skill-field"]],
  ];
  for (const [name, frontmatter, places] of rows) {
    test(name, () => {
      const { skill, diagnostics } = parseSkill(`---\n${frontmatter}\n---\nBody\n`, "skills/tidy/SKILL.md");
      expect(skill?.description.length).toBeGreaterThan(0);
      expect(placesOf(diagnostics)).toEqual(places);
      expect(diagnostics.every(({ severity }) => severity === "warning")).toBe(true);
    });
  }

  test("a body of more than 500 lines", () => {
    const { diagnostics } = parseSkill(`---\ndescription: d\n---\n${"x\n".repeat(600)}`, "skills/tidy/SKILL.md");
    expect(placesOf(diagnostics)).toEqual(["1:1 skill-length"]);
  });

  test("tools with arguments in brackets are all right", () => {
    const text =
      "---\nname: tidy\ndescription: d\nallowed-tools: Bash(git log, git diff) Read\nversion: 2\ntags: [a]\n---\nB";
    expect(parseSkill(text, "skills/tidy/SKILL.md").diagnostics).toEqual([]);
  });
});

test("a name in any script is kept, with a warning", () => {
  const { skill, diagnostics } = parseSkill("---\nname: 天気\ndescription: d\n---\n", "skills/天気/SKILL.md");
  expect(skill?.name).toBe("天気");
  expect(placesOf(diagnostics)).toEqual(["2:7 skill-name"]);
});
