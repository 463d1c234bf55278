import { describe, expect, test } from "bun:test";
import { parseIdentity } from "@mdx-ai/parser/parse";
import { placesOf } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";

const specified = `---
name: Other
---

# Agent: MyAgent

## Purpose

What this agent does.

## Capabilities

- Can do X
- Can do Y

## Constraints

- Must not do Z

## Personality

Tone and style description.
`;

test("the specification's identity is read section by section", async () => {
  const { identity, diagnostics } = await parseAgentMdx(specified);
  expect(diagnostics).toEqual([]);
  expect(identity).toEqual({
    name: "MyAgent",
    introduction: "",
    purpose: "What this agent does.",
    capabilities: ["Can do X", "Can do Y"],
    constraints: ["Must not do Z"],
    personality: "Tone and style description.",
    prose: specified.slice(specified.indexOf("# Agent")).trim(),
    sections: [],
  });
});

describe("the name", () => {
  const rows: readonly [string, string, string, readonly string[]][] = [
    ["the heading before the frontmatter", "---\nname: B\n---\n# Agent: A\n## Purpose\np", "A", []],
    ["the frontmatter without the heading", "---\nname: B\n---\n## Purpose\np", "B", []],
    ["the fallback with a warning", "## Purpose\np", "UnnamedAgent", ["1:1 name-missing"]],
    ["the fallback where another heading stands first", "# Ada\n## Purpose\np", "UnnamedAgent", ["1:1 name-missing"]],
    ["the fallback for an empty heading", "# Agent:\n## Purpose\np", "UnnamedAgent", ["1:1 name-missing"]],
    ["letters of any script", "# Agent: Погода 天気 🌦\n## Purpose\np", "Погода 天気 🌦", []],
    ["a heading with marks in it", "# Agent: **Ada** `x` \\<b\n## Purpose\np", "Ada x <b", []],
    ["a heading in small letters with spaces", "#   agent :  Ada  \n## Purpose\np", "Ada", []],
    ["a heading underlined", "Agent: Ada\n==========\n## Purpose\np", "Ada", []],
  ];
  for (const [name, text, expected, places] of rows) {
    test(`is taken from ${name}`, async () => {
      const { identity, diagnostics } = await parseAgentMdx(text);
      expect(identity.name).toBe(expected);
      expect(placesOf(diagnostics)).toEqual(places);
    });
  }
});

describe("a purpose that is missing is an error", () => {
  const rows: readonly [string, string, string][] = [
    ["at the title", "# Agent: A\n\nHello", "1:1 purpose-missing"],
    ["at its own heading where that is empty", "# Agent: A\n\n## Purpose\n\n## Other\nx", "3:1 purpose-missing"],
    ["at the start of an empty file", "", "1:1 purpose-missing"],
  ];
  for (const [name, text, place] of rows) {
    test(name, async () => expect(placesOf((await parseAgentMdx(text)).diagnostics)).toContain(place));
  }
});

test("sections are read in any order, at any depth and in any case", async () => {
  const text =
    "# Agent: A\n### PERSONALITY\nDry.\n## constraints:\n- No\n#### Purpose\nHelp.\n###### capabilities\n* Yes";
  const { identity, diagnostics } = await parseAgentMdx(text);
  expect(diagnostics).toEqual([]);
  expect(identity).toMatchObject({ purpose: "Help.", personality: "Dry.", constraints: ["No"], capabilities: ["Yes"] });
});

test("sections that the specification does not name are kept in order, as they are written", async () => {
  const text =
    "# Agent: A\n\nHello *there*.\n\n## Style guide\n\n1. `a`  \n2. [b](c)\n\n### Deeper\n\n| x |\n\n## Purpose\nP\n## Last\n> q";
  const { identity } = await parseAgentMdx(text);
  expect(identity.introduction).toBe("Hello *there*.");
  expect(identity.sections).toEqual([
    { title: "Style guide", body: "1. `a`  \n2. [b](c)\n\n### Deeper\n\n| x |" },
    { title: "Last", body: "> q" },
  ]);
});

test("text before the title and after it is the introduction", async () => {
  const { identity } = await parseAgentMdx("Before.\n\n# Agent: A\n\nAfter.\n\n## Purpose\nP");
  expect(identity.introduction).toBe("Before.\n\nAfter.");
});

test("a second section of one name is joined and warned of", async () => {
  const { identity, diagnostics } = await parseAgentMdx("# Agent: A\n## Purpose\none\n## X\n\n## Purpose\ntwo");
  expect(identity.purpose).toBe("one\n\ntwo");
  expect(placesOf(diagnostics)).toEqual(["6:1 section-duplicate"]);
});

describe("lists of capabilities", () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ["nested lists hang below their item", "- a\n  - b\n    - c\n- d", ["a\n  - b\n    - c", "d"]],
    ["deep indentation is taken back", "*   a\n    * b\n\n    para\n*   c", ["a\n  * b\n\n  para", "c"]],
    [
      "CommonMark in items is kept",
      "- **b** `{x}` [l](u)\n- _i_ \\< \\{ <5 {a}",
      ["**b** `{x}` [l](u)", "_i_ \\< \\{ <5 {a}"],
    ],
    ["numbered lists are lists", "1. a\n2. b", ["a", "b"]],
    ["several lists are one", "- a\n\n* b\n\n1) c", ["a", "b", "c"]],
    ["code in an item is kept", "- a\n\n  ```sh\n  ls\n  ```\n- b", ["a\n\n  ```sh\n  ls\n  ```", "b"]],
    ["lazy lines belong to their item", "- a\nb\n- c", ["a\n  b", "c"]],
    ["text without a list is an item", "Everything.\n\n- a", ["Everything.", "a"]],
    ["a heading takes its list beneath itself", "- a\n\n### More\n\n- b\n- c", ["a", "More\n  - b\n  - c"]],
    ["empty items are left out", "-\n- a\n-   ", ["a"]],
    ["rules and comments are no items", "---\n\n{/* c */}\n\n- a{/* d */}", ["a"]],
    ["CRLF ends lines", "- a\r\n  - b\r\n- c", ["a\n  - b", "c"]],
  ];
  for (const [name, list, items] of rows) {
    test(name, async () => {
      const { identity, diagnostics } = await parseAgentMdx(`# Agent: A\n## Purpose\nP\n## Capabilities\n\n${list}\n`);
      expect(diagnostics).toEqual([]);
      expect(identity.capabilities).toEqual(items);
    });
  }
});

test("an item with a bullet before it is the same Markdown again", async () => {
  const list = "- a\n  - b\n\n  para\n- c";
  const { identity } = await parseAgentMdx(`# Agent: A\n## Purpose\nP\n## Constraints\n${list}`);
  expect(identity.constraints.map((item) => `- ${item}`).join("\n")).toBe(list);
});

test("tools and comments never reach the prose, and leave one blank line behind", async () => {
  const text =
    '# Agent: A\n\n## Purpose\n\nOne.\n\n<Tool name="t" description="d">\n\n```ts\nfunction execute() { return "secret"; }\n```\n\n</Tool>\n\n{/* a\n\ncomment */}\n\nTwo{/* c */}.\n';
  const { identity, diagnostics, program } = await parseAgentMdx(text);
  expect(diagnostics).toEqual([]);
  expect(identity.purpose).toBe("One.\n\nTwo.");
  expect(program).toBeUndefined();
});

describe("the prose is what is written but for frontmatter, elements and comments; lines with nothing else are left out:", () => {
  const tool = '<Tool name="t" description="d">\n\n```ts\nfunction execute() { return ""; }\n```\n\n</Tool>';
  const badge = '\t<a href="u"><img alt="A" src="a.svg" /></a>';
  const rows: readonly (readonly [name: string, written: string, received: string])[] = [
    [
      "braces, tags, addresses, entities",
      "If {a} <5 <b>x</b> <https://a.b> &amp; \\{ \\<",
      "If {a} <5 <b>x</b> <https://a.b> &amp; \\{ \\<",
    ],
    ["both kinds of comments", "a{/* b */} c <!-- d -->e", "a c e"],
    ["lines of comments", "a\n\n{/* b\n\nc */}\n\n<!-- d\n\ne -->\n\nf", "a\n\nf"],
    ["two comments on one line", "a\n{/* b */} {/* c */}\nd", "a\nd"],
    ["comments in HTML", `<p>\n\t<!-- c -->\n${badge}\n</p>`, `<p>\n${badge}\n</p>`],
    ["a comment after a list", "- a\n\n{/* c */}\n\n    code", "- a\n\n    code"],
    ["a tool", `a\n\n${tool}\n\nb`, "a\n\nb"],
    ["a tool right between lines", `a\n${tool}\nb`, "a\nb"],
    ["a tool in a list item", `- a\n\n${tool.replace(/^(?=.)/gm, "  ")}\n- b`, "- a\n\n- b"],
    [
      "comments in code",
      "    <!-- a -->\n\n`{/* b */}`\n\n```\n<!-- c -->\n```",
      "    <!-- a -->\n\n`{/* b */}`\n\n```\n<!-- c -->\n```",
    ],
    [
      "headings of any form",
      "Notes\n-----\n\n###   *More* {x} ###\n\n1) a\n* b",
      "Notes\n-----\n\n###   *More* {x} ###\n\n1) a\n* b",
    ],
  ];
  test.each(rows)("%s", async (_name, written, received) => {
    for (const newline of ["\n", "\r\n"]) {
      const wrap = (text: string): string => `# Agent: A\n\n## Purpose\n\nP\n\n${text}`.replaceAll("\n", newline);
      const { identity, diagnostics } = await parseAgentMdx(`---\nname: B\n---\n\n${wrap(written)}\n`);
      expect(diagnostics).toStrictEqual([]);
      expect(identity.prose).toBe(wrap(received));
    }
  });

  test("a description that serves as the purpose comes first", async () => {
    const { identity } = await parseAgentMdx("---\ndescription: Brews.\n---\n# Agent: A\n\nHello.\n");
    expect(identity.prose).toBe("## Purpose\n\nBrews.\n\n# Agent: A\n\nHello.");
  });
});

test("tags in small letters are text of the prompt and hide no headings", async () => {
  const text =
    '<identity>\n\n# Agent: A\n\n## Purpose\n\nP\n\n<rules kind="hard">\nBe kind.\n</rules>\n\n</identity>\n';
  const { identity, diagnostics, program } = await parseAgentMdx(text);
  expect(diagnostics).toEqual([]);
  expect(program).toBeUndefined();
  expect(identity).toMatchObject({
    name: "A",
    introduction: "<identity>",
    purpose: 'P\n\n<rules kind="hard">\nBe kind.\n</rules>\n\n</identity>',
  });
});

test("parseIdentity reads Markdown, in which braces and angle brackets are text", () => {
  const identity = parseIdentity("# Agent: R\n\n## Purpose\n\n{x} <5 <!-- c --> d\n\n## Capabilities\n\n- a\n");
  expect(identity).toMatchObject({ name: "R", purpose: "{x} <5  d", capabilities: ["a"] });
});

test("parseIdentity takes the given name where no heading tells one", () => {
  expect(parseIdentity("## Purpose\nP", { name: "Given" }).name).toBe("Given");
  expect(parseIdentity("## Purpose\nP").name).toBe("UnnamedAgent");
});

describe("prose without sections: `sections: off`", () => {
  const prose = "Text.\n\n# Agent: Other\n\n## Personality\n\n* one\n* two\n\n### Deep **bold**\n\nEnd.";

  test("is one text with its headings and lists as they are written", async () => {
    const { identity, diagnostics } = await parseAgentMdx(`---\nname: Given\nsections: off\n---\n\n${prose}\n`);
    expect(diagnostics).toEqual([]);
    const parts = { purpose: "", capabilities: [], constraints: [], personality: "", sections: [] };
    expect(identity).toEqual({ name: "Given", prose, introduction: prose, ...parts });
  });

  test("is one text when code in it has run", () => {
    expect(parseIdentity(prose, { name: "Given", sections: "off" })).toMatchObject({
      name: "Given",
      introduction: prose,
    });
  });

  test.each([
    ["no prose is no purpose", "name: X\nsections: off", "", "purpose-missing"],
    ["a heading gives no name", "sections: off", "# Agent: X", "name-missing"],
    ["another word is refused", "name: X\nsections: none", "## Purpose\n\nP", "setting-type"],
  ])("%s", async (_what, frontmatter, text, rule) => {
    const { diagnostics } = await parseAgentMdx(`---\n${frontmatter}\n---\n\n${text}\n`);
    expect(diagnostics.map((diagnostic) => diagnostic.rule)).toEqual([rule]);
  });
});

describe("without a purpose something else serves, with a warning", () => {
  const rows: readonly [title: string, text: string, introduction: string, purpose: string][] = [
    ["the description", "---\ndescription: Brews tea.\n---\n# Agent: A\n\nHello.", "Hello.", "Brews tea."],
    ["the opening paragraph", "# Agent: A\n\nBrews\ntea.\n\nWith water.\n", "With water.", "Brews\ntea."],
    ["a paragraph below a list", "# Agent: A\n\n- x\n\nBrews tea.\n\n## Rules\n", "- x", "Brews tea."],
    ["a paragraph without a heading", "Brews tea.\n\nMore.\n", "More.", "Brews tea."],
    ["a paragraph below a bold line", "# Agent: A\n\n**Purpose**\n\nBrews tea.", "**Purpose**", "Brews tea."],
    ["where the section is empty", "# Agent: A\n\nBrews tea.\n\n## Purpose\n", "", "Brews tea."],
  ];
  for (const [title, text, introduction, purpose] of rows) {
    test(title, async () => {
      const { identity, diagnostics } = await parseAgentMdx(text);
      expect(identity).toMatchObject({ introduction, purpose });
      const found = diagnostics.filter(({ rule }) => rule === "purpose-missing");
      expect(found).toMatchObject([{ severity: "warning", message: expect.stringContaining("is used") }]);
    });
  }

  test("and nothing is said of a purpose that is stated", async () => {
    const { identity, diagnostics } = await parseAgentMdx(
      "---\ndescription: D\n---\n# Agent: A\n\nB\n\n## Purpose\n\nC",
    );
    expect([identity.introduction, identity.purpose, diagnostics]).toEqual(["B", "C", []]);
  });
});
