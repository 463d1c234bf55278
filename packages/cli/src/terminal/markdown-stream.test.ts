import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { type MarkdownPiece, MarkdownStream } from "./view/markdown-stream.ts";

/** A piece as one text: `=` before blocks, `-` before items, `+` before a line of code. */
function shownPiece(piece: MarkdownPiece): string {
  switch (piece.type) {
    case "blocks":
      return `=${piece.text}`;
    case "items":
      return `-${piece.text}`;
    case "code_start":
      return `<${piece.language}>`;
    case "code_line":
      return `+${piece.text}`;
    case "code_end":
      return "</>";
  }
}

/** What is handed out piece by piece, and what the end gives. */
function played(
  text: string,
  size: number,
): { readonly finished: readonly string[]; readonly rest: readonly string[] } {
  const stream = new MarkdownStream();
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
  const finished = pieces.flatMap((piece) => stream.push(piece)).map(shownPiece);
  return { finished, rest: stream.end().map(shownPiece) };
}

type Case = readonly [name: string, text: string, finished: readonly string[], rest: readonly string[]];

const cases: readonly Case[] = [
  ["keeps a paragraph that may go on", "one\ntwo\n", [], ["=one\ntwo\n"]],
  ["hands a paragraph out when the next begins", "one\n\ntwo\n", ["=one\n\n"], ["=two\n"]],
  ["hands code out by lines", "```TS x\na\n\nb\n```\nend\n", ["<ts>", "+a", "+", "+b", "</>"], ["=end\n"]],
  ["hands out what is before code", "one\n```\na\n```\n", ["=one\n", "<>", "+a", "</>"], []],
  ["ends code with the text", "```\na\nb", ["<>", "+a"], ["+b", "</>"]],
  ["ends code at a last line without its end", "```\na\n```", ["<>", "+a"], ["</>"]],
  ["does not end code at a shorter fence", "````\n```\n````\ny\n", ["<>", "+```", "</>"], ["=y\n"]],
  ["does not end code of tildes at backticks", "~~~\n```\n~~~\ny\n", ["<>", "+```", "</>"], ["=y\n"]],
  ["does not end code at a fence with a word", "```\n```js\n```\n", ["<>", "+```js", "</>"], []],
  ["takes backticks within a line for no fence", "```a``` is\n\nx\n", ["=```a``` is\n\n"], ["=x\n"]],
  ["hands items out at the next one", "- a\n  - b\n- c\n\nx\n", ["-- a\n  - b\n", "=- c\n\n"], ["=x\n"]],
  ["keeps the number of an item", "1. a\n1. b\n\n1. c\n", ["-1. a\n", "=2. b\n\n"], ["=3. c\n"]],
  ["starts a list over behind other text", "1. a\n\nx\n\n1. b\n", ["=1. a\n\n", "=x\n\n"], ["=1. b\n"]],
  ["keeps an item that continues an item of another kind", "- a\n2. b\n", [], ["=- a\n2. b\n"]],
  ["keeps a list item with its second paragraph", "- a\n\n  b\n\n- c\n", ["=- a\n\n  b\n\n"], ["=- c\n"]],
  [
    "keeps a fence inside a list item whole",
    "- a\n\n  ```\n  x\n\n  y\n  ```\n\nend\n",
    ["=- a\n\n  ```\n  x\n\n  y\n  ```\n\n"],
    ["=end\n"],
  ],
  ["keeps a line that continues a paragraph of a list", "- a\n\n  b\nc\n", [], ["=- a\n\n  b\nc\n"]],
];

describe("the stream of Markdown", () => {
  test.each(cases)("%s", (_name, text, finished, rest) => {
    for (const size of [1, 3, 1000]) {
      expect(played(text, size)).toEqual({ finished, rest });
    }
  });

  test("loses and doubles nothing, however the text is cut", () => {
    const line = fc.constantFrom("text", "- item", "1. item", "  more", "```", "~~~", "````ts", "> quote", "| a |", "");
    const wordsOf = (text: string): readonly string[] => text.match(/text|item|more|quote|a/g) ?? [];
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 20 }), (lines, size) => {
        const { finished, rest } = played(lines.join("\n"), size);
        expect(wordsOf([...finished, ...rest].join("\n"))).toEqual(wordsOf(lines.join("\n")));
        expect({ finished, rest }).toEqual(played(lines.join("\n"), 1));
      }),
      randomCases(),
    );
  });

  test("shows the end of what is kept", () => {
    const stream = new MarkdownStream();
    stream.push("one\ntwo\nthree");
    expect(stream.tail(10)).toBe("one\ntwo\nthree");
    expect(stream.tail(1)).toBe("two\nthree");
    expect(stream.tail(0, 2)).toBe("ee");
  });

  test("opens a fence in a list again whose start is out of sight", () => {
    const stream = new MarkdownStream();
    stream.push("- a\n  ```ts\n  one\n\n  two\n  three");
    expect(stream.tail(2)).toBe("  ```ts\n\n  two\n  three");
    expect(stream.tail(4)).toBe("  ```ts\n  one\n\n  two\n  three");
  });

  test("starts over after the end", () => {
    const stream = new MarkdownStream();
    expect(stream.push("```\nopen\n").map(shownPiece)).toEqual(["<>", "+open"]);
    expect(stream.end().map(shownPiece)).toEqual(["</>"]);
    expect(stream.end()).toEqual([]);
    expect(stream.push("a\n\nb\n").map(shownPiece)).toEqual(["=a\n\n"]);
  });

  test("takes a megabyte in small pieces", () => {
    const text = "0123456789\n".repeat(90_000);
    expect(played(text, 10).rest).toEqual([`=${text}`]);
    expect(played(`\`\`\`\n${text}`, 10).finished.length).toBe(90_001);
  });
});
