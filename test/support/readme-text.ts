import fc from "fast-check";

/** Pieces of prose as people write it in READMEs, without a thought of MDX. */
const pieces = [
  ...[
    "a word",
    "**bold**",
    "_thin_",
    "`code {x}`",
    "`` a ` b ``",
    "[link](https://example.org/a?b=c)",
    "![Build {os}](b.svg)",
  ],
  ...[
    "{}",
    "{1}",
    "{true}",
    "{name}",
    "{{name}}",
    "{{ user.name }}",
    `\${HOME}`,
    "{a, b}",
    "{Date}",
    "{YYYY-MM-DD}",
    "{X.XX}",
  ],
  ...[
    "{props.user}",
    "{result['x']}",
    '{"a": {"b": [1, {"c": 2}]}}',
    "{first name}",
    "{% if x %}",
    "{ x | x > 0 }",
    "{...rest}",
  ],
  ...["^\\d{3}-\\d{4}$", "\\frac{1}{2}", "x_{i}^{2}", "\\{x\\}", "\\<b", "a { b", "a } b", "function () { return 1; }"],
  ...[
    "<5 minutes",
    "a <= b",
    "a<b",
    "<-",
    "<<",
    "I <3 it",
    "Promise<Item[]>",
    "Map<string, Item>",
    "Array<Tool>",
    "Foo<A | B>",
  ],
  ...[
    "<br>",
    "<br/>",
    "<kbd>Ctrl</kbd>",
    '<img src="a.png">',
    "<user@example.org>",
    "<https://example.org/_a_(b)*c*>",
    "<name>",
  ],
  ...[
    "<!-- note -->",
    "</b>",
    "<a href={url}>",
    "&lt;b&gt;",
    "&copy;",
    "C:\\{dir}",
    "1 < 2 && 3 > 2",
    "$x = {",
    "[{tag}]",
    "~~old~~",
  ],
] as const;

const words = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(" "));
const line = words.map((text) => `See ${text}`);
const code = fc.constantFrom('{"a": {"b": 1}}', "const a = <b>{c}</b>;", "if (a < b) { c(); }", "plain \\{text");
const fence = fc
  .tuple(fc.constantFrom("```json", "```", "~~~ts"), code)
  .map(([open, text]) => `${open}\n${text}\n${open.slice(0, 3)}`);

const blocks = fc.oneof(
  { weight: 4, arbitrary: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")) },
  line.map((text) => `### ${text}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.map((text) => `- ${text}`).join("\n")),
  fc.tuple(line, line).map(([one, two]) => `1. ${one}\n   - ${two}\n\n   ${one}`),
  fc.tuple(line, fence).map(([text, block]) => `- ${text}\n\n${block.replace(/^/gm, "  ")}`),
  // Of this one the closing fence is missing: the list item ends the block.
  fc.tuple(line, code).map(([text, written]) => `- ${text}\n  \`\`\`json\n  ${written}`),
  line.map((text) => `> ${text}\n> and {more}`),
  fc.tuple(words, words).map(([one, two]) => `| a | b |\n| --- | --- |\n| ${one} | ${two} |`),
  fence,
  fc.constantFrom(
    "<!-- toc -->",
    "<!--\nTODO\n-->",
    '<p align="center">\n  <img src="a.svg">\n</p>',
    '<p align="center">\n\t<!-- badges -->\n\t<a href="u"><img alt="A" src="a.svg" /></a>\n\t<!-- end -->\n\tText\n</p>',
    "    # install\n    npm install\n\n    name  size\n    ----------",
    "<details>\n<summary>More {x}</summary>\n\nText {y}\n\n</details>",
    "<div>\n\n- a\n\n</div>",
    '{\n  "name": "a",\n  "b": {"c": [1, 2]}\n}',
    "import tables first.",
    "export the {result}",
    "---",
  ),
);

/** Documents like the READMEs of packages, with what is code to MDX and none to a reader. */
export const readmeText: fc.Arbitrary<string> = fc
  .array(blocks, { minLength: 1, maxLength: 8 })
  .map((parts) => `${parts.join("\n\n")}\n`);
