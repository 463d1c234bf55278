import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "@mdx-ai/parser";
import { parseSkill } from "@mdx-ai/parser/parse";
import { placesOf } from "../../support/diagnostic-places.ts";

const corpus = join(import.meta.dir, "../fixtures/skills");

/** Folder, the description that a lenient loader finds, and the first that is said of it. */
const wild: readonly [folder: string, description: string, said?: string, tools?: readonly string[]][] = [
  ["block-description", "Folds its description over several lines.", "6:16 note skill-field", ["Bash", "Read"]],
  ["byte-order-mark", "Starts with a mark that editors of Windows write."],
  [
    "continued-without-indent",
    "Brews tea, and goes on in lines of the same depth, as here.",
    "4:1 warning skill-frontmatter",
  ],
  ["full-width-colon", "Brews tea.", "2:1 warning skill-frontmatter"],
  ["heading-alone", "Tea", "1:1 warning skill-description"],
  ["junk-line", "Survives a line of junk.", "3:1 warning skill-frontmatter"],
  ["mark-of-a-block", "Brews tea on one line.", "3:16 warning skill-frontmatter"],
  ["mark-of-a-block-in-quotes", "Brews tea in quotes."],
  ["mark-of-a-folded-block", "Brews tea on one line.", "3:16 warning skill-frontmatter"],
  ["mark-of-a-stripped-block", "Brews tea on one line.", "3:17 warning skill-frontmatter"],
  ["markdown-in-value", "*Strong* words & `code`: all of them", "3:14 warning skill-frontmatter"],
  ["name-only-in-folder", "Takes its name from its folder.", "2:1 note skill-name"],
  ["no-description", "Body.", "2:1 warning skill-description"],
  ["no-frontmatter", "A body alone.", "1:1 warning skill-description"],
  ["not-closed", "Forgets the second border."],
  ["numbers-in-metadata", "Has a version that is a number.", "5:3 note skill-field"],
  ["paragraph-below-code", "Brews tea in two steps.", "2:1 warning skill-description"],
  ["rules-in-body", "Draws lines between its chapters."],
  ["tabs", "Indents with tabs.", "4:1 warning skill-frontmatter"],
  ["template-braces", "{{ description }} of a template", "3:32 warning skill-frontmatter"],
  ["text-before", "Has a licence text before its frontmatter."],
  ["tools-as-list", "Lists its tools as YAML.", "4:16 note skill-field", ["Bash", "Read"]],
  ["unclosed-quote", "Reads logs and says what went wrong", "3:14 warning skill-frontmatter"],
  ["unquoted-colons", 'Use when: the user asks for PDF files. Example: "make a PDF"', "3:14 warning skill-frontmatter"],
  ["windows-lines", "Ends its lines as Windows does."],
];

const said = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ line, column, severity, rule }) => `${line}:${column} ${severity} ${rule}`);

describe("a skill as found in the wild is read", () => {
  test("all of the corpus is in the table", () =>
    expect(readdirSync(corpus).sort()).toEqual(wild.map(([name]) => name)));

  for (const [folder, description, first, allowedTools] of wild) {
    test(folder, () => {
      const [file = ""] = readdirSync(join(corpus, folder));
      const path = `skills/${folder}/${file}`;
      const { definition: skill, diagnostics } = parseSkill(readFileSync(join(corpus, folder, file), "utf8"), path);
      const tools = allowedTools === undefined ? {} : { allowedTools };
      expect(skill).toEqual({ name: folder, description, path, ...tools });
      expect(said(diagnostics)[0]).toEqual(first);
    });
  }
});

describe("a skill that says nothing is ignored with a warning", () => {
  const rows: readonly [string, string, string][] = [
    ["an empty file", "", "1:1 warning skill-description"],
    ["frontmatter alone", "---\nname: tidy\n---\n", "2:1 warning skill-description"],
    ["code alone", "```sh\nls\n```\n", "1:1 warning skill-description"],
    ["a link to the file as text", "../../shared/tidy/SKILL.md", "1:1 warning skill-link"],
    ["a link to a file beside it as text", "tidy.md\n", "1:1 warning skill-link"],
    ["an absolute link as text", "\n/srv/my skills/tidy/SKILL.md\n", "2:1 warning skill-link"],
  ];
  for (const [name, text, expected] of rows) {
    test(name, () => {
      const { definition: skill, diagnostics } = parseSkill(text, "skills/tidy/SKILL.md");
      expect([skill, said(diagnostics).filter((one) => !one.includes(" note "))]).toEqual([undefined, [expected]]);
      expect(diagnostics[0]?.message).toContain("ignored");
    });
  }
});

test("a description of a paragraph is as long as one may be", () => {
  const { definition: skill } = parseSkill(`${"tea ".repeat(1_000)}\n`, "skills/tidy/SKILL.md");
  expect(skill?.description).toBe(`${"tea ".repeat(1_000).slice(0, 1_024)}…`);
});

describe("a paragraph serves as the description without the marks of Markdown around it", () => {
  const rows: readonly [string, string, string][] = [
    ["a quotation", "# Tea\n\n> Brews\n> tea.\n\nMore.", "Brews tea."],
    ["a list", "- Brews tea.\n- Pours it.\n", "Brews tea. Pours it."],
    ["below a comment", "<!-- licence\n\nof it -->\nBrews tea.", "Brews tea."],
    ["below a rule", "# Tea\n\n---\n\nBrews tea.", "Brews tea."],
    ["before a heading", "Brews tea.\n## How\nWith water.", "Brews tea."],
    ["in CRLF", "# Tea\r\n\r\nBrews\r\ntea.\r\n\r\nMore.", "Brews tea."],
  ];
  for (const [name, body, description] of rows) {
    test(name, () => expect(parseSkill(body, "skills/tea/SKILL.md").definition?.description).toBe(description));
  }
});

describe("what the standard does not allow is said, and the skill is loaded", () => {
  const long = "x".repeat(1_025);
  const effect = "4:16 note skill-field";
  const rows: readonly [string, string, readonly string[]][] = [
    ["a name that is not its folder's", "name: other\ndescription: d", ["2:7 note skill-name"]],
    ["a name in capitals", "name: My_Skill\ndescription: d", ["2:7 note skill-name", "2:7 note skill-name"]],
    ["a name with two hyphens", "name: a--b\ndescription: d", ["2:7 note skill-name", "2:7 note skill-name"]],
    [
      "a name that is too long",
      `name: ${"a".repeat(65)}\ndescription: d`,
      ["2:7 note skill-name", "2:7 note skill-name"],
    ],
    ["no name", "description: d", ["2:1 note skill-name"]],
    ["a description that is too long", `name: tidy\ndescription: ${long}`, ["3:14 warning skill-description-length"]],
    [
      "a compatibility that is too long",
      `name: tidy\ndescription: d\ncompatibility: ${long}`,
      ["4:16 note skill-field"],
    ],
    ["tools, which have no effect", "name: tidy\ndescription: d\nallowed-tools: Bash Read", [effect]],
    ["tools with commas", "name: tidy\ndescription: d\nallowed-tools: Bash, Read", [effect, effect]],
  ];
  for (const [name, frontmatter, expected] of rows) {
    test(name, () => {
      const { definition: skill, diagnostics } = parseSkill(`---\n${frontmatter}\n---\nBody\n`, "skills/tidy/SKILL.md");
      expect(skill?.description.length).toBeGreaterThan(0);
      expect(said(diagnostics)).toEqual(expected);
    });
  }

  test("a body of more than 500 lines", () => {
    const text = `---\nname: tidy\ndescription: d\n---\n${"x\n".repeat(600)}`;
    expect(placesOf(parseSkill(text, "skills/tidy/SKILL.md").diagnostics)).toEqual(["1:1 skill-length"]);
  });

  test("tools with arguments in brackets have the right form", () => {
    const text =
      "---\nname: tidy\ndescription: d\nallowed-tools: Bash(git log, git diff) Read\nversion: 2\ntags: [a]\n---\nB";
    const { definition: skill, diagnostics } = parseSkill(text, "skills/tidy/SKILL.md");
    expect(skill?.allowedTools).toEqual(["Bash(git log, git diff)", "Read"]);
    expect(said(diagnostics)).toEqual([effect]);
  });
});

test("a name in any script is kept, with a note", () => {
  const { definition: skill, diagnostics } = parseSkill(
    "---\nname: 天気\ndescription: d\n---\n",
    "skills/天気/SKILL.md",
  );
  expect(skill?.name).toBe("天気");
  expect(said(diagnostics)).toEqual(["2:7 note skill-name"]);
});
