import { describe, expect, test } from "bun:test";
import { type DifferenceLine, textDifference } from "@mdx-ai/directory/testing";
import fc from "fast-check";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { dottedLine, jsonDifference, shownText } from "./text-difference.ts";

const drawn = (lines: readonly DifferenceLine[]): readonly string[] => lines.map(({ mark, text }) => `${mark}${text}`);

describe("a comparison of texts", () => {
  test("marks the lines that are expected and those that came", async () => {
    expect(drawn(await textDifference("a\nb\nc", "a\nB\nc"))).toStrictEqual([" a", "-b", "+B", " c"]);
  });

  test.each([
    ["a\n", "a", [" a", "-"]],
    ["a", "a ", ["-a", "+a·"]],
    ["a b", "a\u00a0b", ["-a b", "+a\\u{a0}b"]],
    ["a\nb", "a\r\nb", ["-a", "+a\\r", " b"]],
    ["", "x", ["-", "+x"]],
    ["red", "\u001b[31mred", ["-red", "+\\u{1b}[31mred"]],
  ])("%j and %j differ for the eye, too", async (expected, received, lines) => {
    expect(drawn(await textDifference(expected, received))).toStrictEqual(lines);
  });

  test("leaves out what is equal far from a difference", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const shown = drawn(await textDifference(lines.join("\n"), lines.with(15, "other").join("\n")));
    expect(shown).toStrictEqual([
      " …",
      " line 12",
      " line 13",
      " line 14",
      "-line 15",
      "+other",
      " line 16",
      " line 17",
      " line 18",
      " …",
    ]);
  });

  test("begins two long lines shortly before they part", async () => {
    const long = "0123456789".repeat(2_000);
    const [expected, received] = await textDifference(`${long}left`, `${long}right`);
    expect(expected?.text).toBe(`…${long.slice(-60)}left`);
    expect(received?.text).toBe(`…${long.slice(-60)}right`);
  });

  test("of long and utterly different texts is cut and comes in a moment", async () => {
    const text = (word: string): string => Array.from({ length: 16_000 }, (_, index) => `${word}${index}`).join("\n");
    const lines = await textDifference(text("a"), text("b"));
    expect(lines).toHaveLength(61);
    expect(lines.at(-1)).toStrictEqual({ mark: " ", text: "… 31940 more lines" });
    expect((await textDifference("a".repeat(32_000), "b"))[0]?.text).toHaveLength(300 + "… 31700 more".length);
  });

  test("always shows a difference where there is one, on lines that do nothing to a terminal", async () => {
    const texts = fc.string({
      unit: fc.constantFrom("a", "b", " ", "\n", "\r", "\u001b", "\ud800", "\u200b"),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(texts, texts, async (expected, received) => {
        const lines = await textDifference(expected, received);
        expect(lines.some(({ mark }) => mark !== " ")).toBe(expected !== received);
        expect(lines.every(({ text }) => !/\p{Cc}|\p{Cs}/u.test(text))).toBe(true);
      }),
      randomCases(),
    );
  });
});

test("a comparison of JSON does not count the order of keys", async () => {
  const lines = await jsonDifference({ b: [1, { d: 1, c: 2 }], a: "x" }, { a: "y", b: [1, { c: 2, d: 1 }] });
  expect(drawn(lines)).toStrictEqual([" {", '-  "a": "x",', '+  "a": "y",', '   "b": [', "     1,", "     {", " …"]);
});

test("a text without a counterpart is shown without its last newlines, and an empty one is not shown", () => {
  expect(drawn(shownText("a\n\nb\n\n"))).toStrictEqual([" a", " ", " b"]);
  expect(shownText("")).toStrictEqual([]);
});

test("blanks at the end of a line are dots", () => {
  expect(dottedLine("  a  ")).toBe("  a··");
  expect(dottedLine("   ")).toBe("···");
});
