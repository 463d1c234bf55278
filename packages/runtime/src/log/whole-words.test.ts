import { describe, expect, test } from "bun:test";
import { createRedactor } from "@mdx-ai/base";
import { headOf, splitWord, tailOf } from "../../../loop/src/tool-result.ts";
import { shortText } from "../agent/session-log.ts";

const KEY = `sk-ant-api03-${"aB3".repeat(20)}`;

describe("a cut", () => {
  test.each([
    ["behind a word", "one two", 3],
    ["before a word", "one two", 4],
    ["between quotes and a word", `{"a":"${KEY}"}`, 6],
    ["in text without spaces, letters that no key has", "日本語".repeat(100), 50],
    ["in a word that is too long for a key", "x".repeat(2_049), 1_000],
  ])("%s splits nothing that may be a key", (_where, text, index) => {
    expect(splitWord(text, index)).toBeUndefined();
  });

  test.each([
    ["a word", "one two", 5, { start: 4, end: 7 }],
    ["a URL with a password", "see db://me:pa%2Fss@host/x.", 12, { start: 4, end: 27 }],
    ["the longest word that counts", "x".repeat(2_048), 1, { start: 0, end: 2_048 }],
  ])("splits %s", (_what, text, index, word) => {
    expect(splitWord(text, index)).toStrictEqual(word);
  });

  test("of a text leaves no half of a key, wherever it is", () => {
    const text = `{"text":"${"word ".repeat(40)}${KEY}","more":"${"word ".repeat(40)}"}`;
    for (let limit = 0; limit <= text.length; limit += 1) {
      for (const part of [headOf(text, limit), tailOf(text, limit)]) {
        expect(part.length).toBeLessThanOrEqual(limit);
        expect(part.replace(KEY, "")).not.toMatch(/sk-|aB3/);
      }
    }
  });
});

test("a line of a log shows no half of a key, however much is redacted before it", () => {
  const redactor = createRedactor({ environment: { A_PASSWORD: "p".repeat(4_050) } });
  const line = shortText(`${"p".repeat(4_050)} ${KEY} end`, redactor);
  expect(line).toBe("[redacted A_PASSWORD] [redacted Anthropic key] end");
});
