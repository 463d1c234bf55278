import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MarkdownStream } from "../../support/cli/terminal.ts";
import { randomCases } from "../../support/random-cases.ts";

/** What is handed out piece by piece, and what the end gives. */
function played(text: string, size: number): { readonly finished: readonly string[]; readonly rest: string } {
  const stream = new MarkdownStream();
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
  const finished = pieces.map((piece) => stream.push(piece)).filter((piece) => piece !== "");
  return { finished, rest: stream.end() };
}

const cases: readonly (readonly [name: string, text: string, finished: readonly string[], rest: string])[] = [
  ["keeps a paragraph that may go on", "one\ntwo\n", [], "one\ntwo\n"],
  ["hands a paragraph out when the next begins", "one\n\ntwo\n", ["one\n\n"], "two\n"],
  ["keeps a fence with blank lines whole", "```ts\na\n\nb\n```\n\nend\n", ["```ts\na\n\nb\n```\n\n"], "end\n"],
  ["keeps an open fence", "```\na\n\nb\n\nc\n", [], "```\na\n\nb\n\nc\n"],
  ["does not end a fence at a shorter one", "````\n```\n\nx\n````\n\ny\n", ["````\n```\n\nx\n````\n\n"], "y\n"],
  ["does not end a fence of tildes at backticks", "~~~\n```\n\nx\n~~~\n\ny\n", ["~~~\n```\n\nx\n~~~\n\n"], "y\n"],
  ["does not end a fence at one with a word", "```\n```js\n\nx\n```\n\ny\n", ["```\n```js\n\nx\n```\n\n"], "y\n"],
  ["keeps a list item with its second paragraph", "- a\n\n  b\n\n- c\n", ["- a\n\n  b\n\n"], "- c\n"],
  [
    "keeps a fence inside a list item whole",
    "- a\n\n  ```\n  x\n\n  y\n  ```\n\nend\n",
    ["- a\n\n  ```\n  x\n\n  y\n  ```\n\n"],
    "end\n",
  ],
  ["keeps a line that continues a paragraph of a list", "- a\n\n  b\nc\n", [], "- a\n\n  b\nc\n"],
];

describe("the stream of Markdown", () => {
  test.each(cases)("%s", (_name, text, finished, rest) => {
    for (const size of [1, 3, 1000]) {
      const result = played(text, size);
      expect({ finished: result.finished.join(""), rest: result.rest }).toEqual({ finished: finished.join(""), rest });
    }
  });

  test("loses and doubles nothing, however the text is cut", () => {
    const line = fc.constantFrom("", "text", "- item", "  more", "```", "~~~", "````ts", "> quote", "   ", "| a |");
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 20 }), (lines, size) => {
        const text = lines.join("\n");
        const { finished, rest } = played(text, size);
        expect(finished.join("") + rest).toBe(text);
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

  test("opens a fence again whose start is out of sight", () => {
    const stream = new MarkdownStream();
    stream.push("```ts\none\n\ntwo\nthree");
    expect(stream.tail(2)).toBe("```ts\n\ntwo\nthree");
    expect(stream.tail(4)).toBe("```ts\none\n\ntwo\nthree");
  });

  test("starts over after the end", () => {
    const stream = new MarkdownStream();
    stream.push("```\nopen\n\n");
    expect(stream.end()).toBe("```\nopen\n\n");
    expect(stream.end()).toBe("");
    expect(stream.push("a\n\nb\n")).toBe("a\n\n");
  });

  test("takes a megabyte in small pieces", () => {
    const text = `\`\`\`\n${"0123456789\n\n".repeat(90_000)}`;
    expect(played(text, 10).rest.length).toBe(text.length);
  });
});
