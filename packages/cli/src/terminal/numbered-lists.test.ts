import { expect, test } from "bun:test";
import type { Chosen } from "./list-questions.ts";
import { NumberedLists } from "./plain/numbered-questions.ts";

const QUESTION = {
  question: "Which one?",
  verb: "opens",
  choices: [
    { title: "first", details: "old", remark: "" },
    { title: "second\u001b[31m", details: "new", remark: "running" },
  ],
};

/** Shows a list and types these lines: what was written, and what was chosen. */
async function typed(...lines: readonly string[]) {
  const said: string[] = [];
  const lists = new NumberedLists((some) => said.push(...some));
  const chosen: Promise<Chosen | undefined> = lists.choose(QUESTION);
  const handled = lines.map((line) => lists.typed(line));
  return { said, handled, chosen: await chosen };
}

test("a list in lines is numbered, and a line with a number chooses", async () => {
  expect(await typed(" 2 ")).toStrictEqual({
    said: ["Which one?", "1. first, old", "2. second, new, running", "Enter a number; an empty line cancels:"],
    handled: [true],
    chosen: { type: "picked", index: 1 },
  });
});

test.each([
  [["0", "3", "1"], { type: "picked", index: 0 }],
  [["ollama/llama3"], { type: "typed", text: "ollama/llama3" }],
  [[""], undefined],
] as const)("of %j the last one counts", async (lines, chosen) => {
  expect((await typed(...lines)).chosen).toEqual(chosen);
});

test("without a list no line is taken, nor after an answer", async () => {
  expect(new NumberedLists(() => {}).typed("1")).toBe(false);
  expect((await typed("1", "1")).handled).toStrictEqual([true, false]);
});
