import { describe, expect, test } from "bun:test";
import { splitSkill } from "@mdx-ai/parser";

describe("the border of a skill is found", () => {
  const rows: readonly [string, string, string, string][] = [
    ["as it should be", "---\nname: a\n---\n\nBody\n", "name: a\n", "Body\n"],
    ["with CRLF", "---\r\nname: a\r\n---\r\nBody\r\n", "name: a\r\n", "Body\r\n"],
    ["behind a byte-order mark", "\uFEFF---\nname: a\n---\nBody", "name: a\n", "Body"],
    ["behind blank lines", "\n\n---\nname: a\n---\nBody", "name: a\n", "Body"],
    ["behind a line of text", "# Skill\n\n---\nname: a\n---\nBody", "name: a\n", "Body"],
    ["with rules in the body", "---\nname: a\n---\nOne\n\n---\n\nTwo", "name: a\n", "One\n\n---\n\nTwo"],
    ["with a table in the body", "---\nname: a\n---\n| a |\n|---|\n", "name: a\n", "| a |\n|---|\n"],
    ["with three dots at the end", "---\nname: a\n...\nBody", "name: a\n", "Body"],
    ["with blanks after the dashes", "---  \nname: a\n---\t\nBody", "name: a\n", "Body"],
    [
      "without a closing line",
      "---\nname: a\ndescription: b\n\n# Title\nBody",
      "name: a\ndescription: b\n",
      "# Title\nBody",
    ],
    ["without an opening line", "name: a\ndescription: b\n---\nBody", "name: a\ndescription: b\n", "Body"],
    ["with a block text", "---\ndescription: |\n  a\n\n  --- b\n---\nBody", "description: |\n  a\n\n  --- b\n", "Body"],
    ["without frontmatter", "# Title\n\nBody", "", "# Title\n\nBody"],
    ["with a rule that is no border", "Text\n\n---\n\nMore: x", "", "Text\n\n---\n\nMore: x"],
    ["empty", "---\n---\nBody", "", "Body"],
    ["in nothing", "", "", ""],
  ];
  for (const [name, text, frontmatter, body] of rows) {
    test(name, () => expect(splitSkill(text)).toMatchObject({ frontmatter, body }));
  }
});
