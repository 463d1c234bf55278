import { describe, expect, test } from "bun:test";
import { parseAgentMdx, parseIdentity } from "@mdx-ai/parser/parse";
import { placesOf } from "../../support/diagnostic-places.ts";

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
      "CommonMark in items is kept, but for the escapes of MDX",
      "- **b** `{x}` [l](u)\n- _i_ \\< \\{",
      ["**b** `{x}` [l](u)", "_i_ < {"],
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

describe("a comment that is cut from HTML leaves no blank line, which would make code of the indented tags after it:", () => {
  const badge = '\t<a href="u"><img alt="A" src="a.svg" /></a>';
  const rows: readonly (readonly [name: string, written: string, received: string])[] = [
    ["the first line", `<p>\n\t{/* c */}\n${badge}\n</p>`, `<p>\n${badge}\n</p>`],
    ["between two tags", `<p>\n${badge}\n{/* c */}\n\t{/* d */}\n${badge}\n</p>`, `<p>\n${badge}\n${badge}\n</p>`],
    ["two comments of one line", `<p>\n{/* c */} {/* d */}\n${badge}\n</p>`, `<p>\n${badge}\n</p>`],
    ["lines that end in \\r\\n", `<p>\r\n\t{/* c */}\r\n${badge}\r\n</p>`, `<p>\n${badge}\n</p>`],
    ["right after text", `Text\n<p>\n\t{/* c */}\n${badge}\n</p>`, `Text\n<p>\n${badge}\n</p>`],
    ["after a blank line of the author", `<p>\n\n{/* c */}\n\nText\n\n</p>`, `<p>\n\nText\n\n</p>`],
    ["before a blank line of the author", `<p>\n{/* c */}\n\nText\n\n</p>`, `<p>\n\nText\n\n</p>`],
    ["a list is parted from text as before", "- a\n{/* c */}\nText", "- a\n\nText"],
  ];
  for (const [name, written, received] of rows) {
    test(name, async () => {
      const { identity, diagnostics } = await parseAgentMdx(`# Agent: A\n\n## Purpose\n\n${written}\n`);
      expect(diagnostics).toStrictEqual([]);
      expect(identity.purpose).toBe(received);
    });
  }
});

describe("between a list and indented text, which would belong to its last item without it, a cut leaves an empty comment:", () => {
  const code = "    npm install";
  const rows: readonly (readonly [name: string, written: string, received: string])[] = [
    ["a comment", `- a\n\n{/* c */}\n\n${code}`, `- a\n\n<!-- -->\n\n${code}`],
    ["a comment right below the list", `- a\n{/* c */}\n\n${code}`, `- a\n<!-- -->\n\n${code}`],
    ["the last of two comments", `- a\n\n{/* c */}\n\n{/* d */}\n\n${code}`, `- a\n\n<!-- -->\n\n${code}`],
    ["a tab before the text", "- a\n\n{/* c */}\n\n\ttext", "- a\n\n<!-- -->\n\n\ttext"],
    ["within an item", "- a\n  - b\n\n  {/* c */}\n\n      text", "- a\n  - b\n\n  <!-- -->\n\n      text"],
    ["lines that end in \\r\\n", `- a\r\n\r\n{/* c */}\r\n\r\n${code}`, `- a\n\n<!-- -->\n\n${code}`],
    ["none where the text is not indented", "- a\n\n{/* c */}\n\ntext", "- a\n\ntext"],
    ["none before another list", "- a\n\n{/* c */}\n\n- b", "- a\n\n- b"],
    ["none after a paragraph", `a\n\n{/* c */}\n\n${code}`, `a\n\n${code}`],
    ["none within the item of the text", "- a\n\n  {/* c */}\n\n  text", "- a\n\n  text"],
  ];
  for (const [name, written, received] of rows) {
    test(name, async () => {
      const { identity, diagnostics } = await parseAgentMdx(`# Agent: A\n\n## Purpose\n\n${written}\n`);
      expect(diagnostics).toStrictEqual([]);
      expect(identity.purpose).toBe(received);
    });
  }

  test("a tool", async () => {
    const tool = '<Tool name="t" description="d">\n\n```ts\nfunction execute() { return ""; }\n```\n\n</Tool>';
    const { identity } = await parseAgentMdx(`# Agent: A\n\n## Purpose\n\n- a\n\n${tool}\n\n${code}\n`);
    expect(identity.purpose).toBe(`- a\n\n<!-- -->\n\n${code}`);
  });
});

describe("a heading of MDX that Markdown reads as indented code", () => {
  const code = "    # install\n    npm install\n\n    name   size\n    -----------\n    a      1";

  test("is text of its section", async () => {
    const { identity } = await parseAgentMdx(`# Agent: A\n\n## Purpose\n\nRun:\n\n${code}\n\n## Constraints\n\n- a\n`);
    expect(identity).toMatchObject({ purpose: `Run:\n\n${code}`, constraints: ["a"], sections: [] });
  });

  test("starts a section where the whole file is indented, and within a wrapper", async () => {
    const indented =
      "    # Agent: A\n\n    ## Purpose\n\n    P\n\n<rules>\n        ## Constraints\n\n        - a\n</rules>\n";
    const { identity } = await parseAgentMdx(indented);
    expect(identity).toMatchObject({ name: "A", constraints: ["a"] });
    expect(identity.purpose.trim()).toStartWith("P");
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
  const identity = parseIdentity("# Agent: R\n\n## Purpose\n\n{x} <5 <!-- c -->\n\n## Capabilities\n\n- a\n");
  expect(identity).toMatchObject({ name: "R", purpose: "{x} <5 <!-- c -->", capabilities: ["a"] });
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
    expect(identity).toEqual({ name: "Given", introduction: prose, ...parts });
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
