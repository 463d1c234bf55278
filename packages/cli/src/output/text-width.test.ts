import { describe, expect, test } from "bun:test";
import { cutEnd, cutStart } from "./line-layout.ts";

describe("a text is cut to a width", () => {
  test.each([
    ["abcdefgh", 8, "abcdefgh", "abcdefgh"],
    ["abcdefgh", 5, "abcd…", "…efgh"],
    ["漢字漢字", 7, "漢字漢…", "…字漢字"],
    ["漢字漢字", 6, "漢字…", "…漢字"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…", "…e\u0301"],
    ["abc", 1, "…", "…"],
    ["abc", 0, "", ""],
    ["", 0, "", ""],
  ])("%j in %d columns", (text, width, end, start) => {
    expect(cutEnd(text, width)).toBe(end);
    expect(cutStart(text, width)).toBe(start);
  });

  test("with an ASCII ellipsis, if it fits", () => {
    expect(cutEnd("abcdefgh", 5, "...")).toBe("ab...");
    expect(cutStart("abcdefgh", 5, "...")).toBe("...gh");
    expect(cutStart("abcdefgh", 2, "...")).toBe("");
  });

  test("never to more columns", () => {
    const texts = [
      "ab漢字cd漢字ef",
      "漢字漢字漢字漢字",
      "e\u0301e\u0301e\u0301e\u0301",
      "😀😀😀😀",
      "👨‍👩‍👧 ab 👨‍👩‍👧",
    ];
    for (const text of texts) {
      for (let width = 0; width < 18; width++) {
        for (const ellipsis of ["…", "..."]) {
          expect(Bun.stringWidth(cutEnd(text, width, ellipsis))).toBeLessThanOrEqual(width);
          expect(Bun.stringWidth(cutStart(text, width, ellipsis))).toBeLessThanOrEqual(width);
        }
      }
    }
  });
});
