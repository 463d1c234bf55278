import { describe, expect, test } from "bun:test";
import { visibleLine } from "../../../packages/cli/src/approval/approval-content.ts";

const shown: readonly (readonly [name: string, text: string, visible: string])[] = [
  ["an escape sequence", "a\u001b[2Kb", "a\\u{1b}[2Kb"],
  ["a clipboard write", "\u001b]52;c;aGk=\u0007", "\\u{1b}]52;c;aGk=\\u{7}"],
  ["a bidirectional override", "txt\u202efdp", "txt\\u{202e}fdp"],
  ["what has no width", "a\u200bb\u3164c\u00add", "a\\u{200b}b\\u{3164}c\\u{ad}d"],
  ["tag characters", "a\u{e0061}b", "a\\u{e0061}b"],
  ["a blank that is none", "a\u00a0b\u2800c", "a\\u{a0}b\\u{2800}c"],
  ["a carriage return", "rm -rf ~\rls", "rm -rf ~\\rls"],
  ["a newline", "a\nb", "a\\nb"],
  ["a C1 control", "a\u009b2Jb", "a\\u{9b}2Jb"],
  ["half a surrogate", "a\ud800b", "a\\u{d800}b"],
  ["a tab", "a\tb", "a→   b"],
  ["letters, wide ones and emoji", "Grüß 日本 ❤️ 🎉", "Grüß 日本 ❤️ 🎉"],
];

describe("what the user decides about is shown", () => {
  test.each(shown)("with %s visible", (_name, text, visible) => {
    expect(visibleLine(text)).toBe(visible);
  });
});
