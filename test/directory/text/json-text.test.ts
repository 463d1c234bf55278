import { describe, expect, test } from "bun:test";
import { jsonText } from "@mdx-ai/directory/text";

describe("JSON for standard output", () => {
  test.each([
    ["plain text", "plain 日本 👩‍👧"],
    ["an escape sequence", "\u001b[31m"],
    ["an escape sequence in its one-byte form", "\u009b31m\u0085"],
    ["a delete", "\u007f"],
    ["what turns the reading order around", "a\u202eb\u2066c\u2028\u2029"],
    ["what hides in a text", "a\u200bb\ufeffc\u{e0041}d\u200ee\u061c"],
    ["what JSON escapes itself", '"\\\n'],
  ])("means the same with %s and holds nothing that a terminal acts upon", (_name, text) => {
    const json = jsonText({ [text]: text });
    expect(JSON.parse(json)).toEqual({ [text]: text });
    expect(json).not.toMatch(/[\p{Cc}\u061c\u200b\u200e\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0041}]/u);
  });
});
