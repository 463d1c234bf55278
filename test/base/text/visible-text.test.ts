import { describe, expect, test } from "bun:test";
import { isVisible, shortened, visibleLine, visibleProse, visibleText } from "@mdx-ai/base";

test.each([
  ["Zürich, 12 °C 😀 – “ok”", "Zürich, 12 °C 😀 – “ok”"],
  ["a\tb\r\nc", "a\\tb\\r\\nc"],
  ["\u001b[31mred", "\\u{1b}[31mred"],
  ["a\u202eb\u200bc\u00a0d\ufeff", "a\\u{202e}b\\u{200b}c\\u{a0}d\\u{feff}"],
  ["\ud800x\udc00\uffff\u{10ffff}", "\\u{d800}x\\u{dc00}\\u{ffff}\\u{10ffff}"],
  ["a\ufe0fb\ufe00c\u{e0100}❤\ufe0f\ufe0f", "a\\u{fe0f}b\\u{fe00}c\\u{e0100}❤\ufe0f\\u{fe0f}"],
  ["\u2028\u0085\u0000", "\\u{2028}\\u{85}\\u{0}"],
  ["a\u115f\u1160\u3164\uffa0", "a\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"],
  ["a\u2800\u{16fe4}\u{1d159}", "a\\u{2800}\\u{16fe4}\\u{1d159}"],
  ["한글", "한글"],
])("%j is shown as %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(isVisible(text)).toBe(text === shown);
});

describe("prose shows", () => {
  test.each([
    ["an escape sequence", "\u001b[31mred\u0007", "\\u{1b}[31mred\\u{7}"],
    ["a bidirectional override", "abc\u202ecod.exe\u2066", "abc\\u{202e}cod.exe\\u{2066}"],
    ["a C1 control and DEL", "a\u009bb\u007f", "a\\u{9b}b\\u{7f}"],
    ["what has no width", "a\u200b\u2060\ufeffb", "a\\u{200b}\\u{2060}\\u{feff}b"],
    ["text in tags, which models read and people do not see", "hi\u{e0068}\u{e0069}", "hi\\u{e0068}\\u{e0069}"],
    ["a carriage return alone", "100%\rdone\r\n", "100%\\rdone\n"],
    ["half a character", "a\ud800b", "a\\u{d800}b"],
    ["lines, tabs, other scripts and joined emoji as they are", "a\n\tבית 12\u00a0€ 👩‍💻", "a\n\tבית 12\u00a0€ 👩‍💻"],
  ])("%s", (_what, text, shown) => {
    expect(visibleProse(text)).toBe(shown);
  });

  test("a text on one line", () => {
    expect(visibleLine("  one\n\ttwo\u2028three ")).toBe("one two\\u{2028}three");
  });
});

test.each([
  ["a text that fits", "abc", 3, "abc"],
  ["a longer text", "abcd", 3, "abc…"],
  ["characters of two halves, which count once and stay whole", "👍👍👍👍", 3, "👍👍👍…"],
  ["characters of two halves that fit", "👍👍👍", 3, "👍👍👍"],
])("a text is shortened by its characters: %s", (_name, text, length, expected) => {
  expect(shortened(text, length)).toBe(expected);
});

test("a shortened text can use the terminal's ellipsis", () => {
  expect(shortened("abcd", 3, "...")).toBe("abc...");
});
