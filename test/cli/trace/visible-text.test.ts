import { expect, test } from "bun:test";
import { visibleLine, visibleText } from "../../../packages/cli/src/output/html-page.ts";

test.each([
  ["an escape sequence", "\u001b[31mred\u0007", "␛[31mred␇"],
  ["a bidirectional override", "abc\u202ecod.exe\u2066", "abc⟨U+202E⟩cod.exe⟨U+2066⟩"],
  ["a C1 control and DEL", "a\u009bb\u007f", "a⟨U+009B⟩b␡"],
  ["what has no width", "a\u200b\u2060\ufeffb", "a⟨U+200B⟩⟨U+2060⟩⟨U+FEFF⟩b"],
  ["text in tags, which models read and people do not see", "hi\u{e0068}\u{e0069}", "hi⟨U+E0068⟩⟨U+E0069⟩"],
  ["a carriage return alone", "100%\rdone\r\n", "100%␍done\n"],
  ["half a character", "a\ud800b", "a\ufffdb"],
  ["lines, tabs, other scripts and joined emoji as they are", "a\n\tבית 👩‍💻", "a\n\tבית 👩‍💻"],
])("shows %s", (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("puts a text on one line", () => {
  expect(visibleLine("  one\n\ttwo\u2028three ")).toBe("one two⟨U+2028⟩three");
});
