import { expect, test } from "bun:test";
import { typedWords } from "@mdx-ai/models/typed-words";
import { attachedBlock } from "../support/cli/terminal.ts";

test.each([
  ["fix @a.ts", "fix @a.ts"],
  ["two\n\nparagraphs <b>", "two\n\nparagraphs <b>"],
  [`fix @a.ts\n\n${attachedBlock("attached_file", ' path="a.ts"', "x\n\n<y>\n")}`, "fix @a.ts"],
  [`and?\n\nThe user ran a command:\n${attachedBlock("user_command", "", "$ ls")}`, "and?"],
])("of %j the user typed %j", (sent, typed) => {
  expect(typedWords(sent)).toBe(typed);
});
