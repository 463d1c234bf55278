import { expect, test } from "bun:test";
import { visibleText } from "../../../packages/directory/src/text/visible-text.ts";

test.each([
  ["Zürich, 12 °C 😀 – “ok”", "Zürich, 12 °C 😀 – “ok”"],
  ["a\tb\r\nc", "a\\tb\\r\\nc"],
  ["\u001b[31mred", "\\u{1b}[31mred"],
  ["a\u202eb\u200bc\u00a0d\ufeff", "a\\u{202e}b\\u{200b}c\\u{a0}d\\u{feff}"],
  ["\ud800x\udc00\uffff\u{10ffff}", "\\u{d800}x\\u{dc00}\\u{ffff}\\u{10ffff}"],
  ["a\ufe0fb\ufe00c\u{e0100}❤\ufe0f\ufe0f", "a\\u{fe0f}b\\u{fe00}c\\u{e0100}❤\ufe0f\\u{fe0f}"],
  ["\u2028\u0085\u0000", "\\u{2028}\\u{85}\\u{0}"],
])("%j can be seen as %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
