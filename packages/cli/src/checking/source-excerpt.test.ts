import { describe, expect, test } from "bun:test";
import { createRedactor } from "@mdx-ai/base";
import { markedLine, sourceExcerpt, sourceFile } from "./source-excerpt.ts";

const MISTAKE = { file: "agent.mdx", line: 1, severity: "error", rule: "element-tag", message: "m" } as const;

interface Excerpt {
  readonly width?: number;
  readonly ellipsis?: string;
  readonly number?: number;
}

/** The excerpt of a line whose marked range is between ⟦ and ⟧. */
function excerpt(marked: string, { width = 80, ellipsis = "…", number = 7 }: Excerpt = {}): readonly string[] {
  const start = marked.indexOf("⟦");
  const end = marked.indexOf("⟧") - 1;
  const line = { text: marked.replace(/[⟦⟧]/g, ""), number, start, end };
  return sourceExcerpt(line, { width, ellipsis, colour: "red", paint: (_colour, text) => text }).split("\n");
}

describe("an excerpt of a file", () => {
  test.each([
    ["a position", "Be ⟦⟧<5 or less", "  7 | Be <5 or less", "    |    ^"],
    ["a range", "⟦modell⟧: x", "  7 | modell: x", "    | ^~~~~~"],
    ["a range of one character", "a ⟦b⟧ c", "  7 | a b c", "    |   ^"],
    ["an empty line", "⟦⟧", "  7 |", "    | ^"],
    ["the end of a line", "ab⟦⟧", "  7 | ab", "    |   ^"],
    ["what is behind tabs", "\t\ta\t⟦b⟧", "  7 |         a    b", "    |              ^"],
    ["a range with a tab", "⟦a\tb⟧", "  7 | a    b", "    | ^~~~~~"],
    ["what is behind wide characters", "漢字😀 ⟦b⟧", "  7 | 漢字😀 b", "    |        ^"],
    ["wide characters", "a ⟦漢字⟧", "  7 | a 漢字", "    |   ^~~~"],
    ["what is behind combining characters", "e\u0301e\u0301 ⟦b⟧", "  7 | e\u0301e\u0301 b", "    |    ^"],
    ["what is behind control characters", "\u001b[31m ⟦b⟧", "  7 | \\u{1b}[31m b", "    |            ^"],
    ["what turns the reading order", "⟦\u202eb⟧ c", "  7 | \\u{202e}b c", "    | ^~~~~~~~~"],
    ["what is behind half a character", "\ud83d ⟦b⟧", "  7 | \\u{d83d} b", "    |          ^"],
  ])("points at %s", (_name, marked, line, mark) => {
    expect(excerpt(marked)).toStrictEqual([line, mark]);
  });

  test("is cut around the marked range if the line is long", () => {
    const [before, after] = ["abcdefghi ".repeat(9), " jklmnopqr".repeat(9)];
    expect(excerpt(`⟦here⟧${after}`, { width: 40 })).toStrictEqual([
      "  7 | here jklmnopqr jklmnopqr jklmnopq…",
      "    | ^~~~",
    ]);
    expect(excerpt(`${before}⟦here⟧`, { width: 40 })).toStrictEqual([
      "  7 | …bcdefghi abcdefghi abcdefghi here",
      `    | ${" ".repeat(30)}^~~~`,
    ]);
    expect(excerpt(`${before}⟦here⟧${after}`, { width: 40 })).toStrictEqual([
      "  7 | …ghi abcdefghi here jklmnopqr jkl…",
      `    | ${" ".repeat(15)}^~~~`,
    ]);
  });

  test("is cut within the marked range if that is long", () => {
    const [before, range, after] = ["a ".repeat(30), "b".repeat(50), " c".repeat(30)];
    expect(excerpt(`${before}⟦${range}⟧${after}`, { width: 40 })).toStrictEqual([
      `  7 | …a a a a a a a a ${"b".repeat(16)}…`,
      `    | ${" ".repeat(17)}^${"~".repeat(16)}`,
    ]);
  });

  test("fits its width for any line", () => {
    for (const unit of ["ab ", "漢字", "\t", "\u001b", "e\u0301", "😀x"]) {
      for (const [before, after] of [
        [0, 50],
        [50, 0],
        [50, 50],
      ] as const) {
        const line = `${unit.repeat(before)}⟦here⟧${unit.repeat(after)}`;
        for (const width of [20, 40, 41, 80]) {
          const [text = "", mark = ""] = excerpt(line, { width });
          expect(Bun.stringWidth(text)).toBeLessThanOrEqual(width);
          const column = mark.indexOf("^");
          expect(mark.slice(column)).toBe("^~~~");
          expect(Bun.stringWidth(text.slice(0, text.indexOf("here")))).toBe(column);
        }
      }
    }
  });

  test("of a very long line takes a moment", () => {
    const half = "x ".repeat(1_000_000);
    // Its own processor time, to which a busy machine adds nothing.
    const start = process.cpuUsage();
    expect(excerpt(`${half}⟦here⟧ ${half}`)[0]).toContain("x here x");
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
  });

  test.each(["", "sk-abcdefghijklmnopqrstuvwxyz0123456789abcd "])(
    "of one line with thousands of mistakes takes a moment for all of them, also after %j",
    (secret) => {
      const keys = createRedactor({ environment: {} });
      const file = sourceFile(`${secret}${"<Tool ".repeat(16_000)}`, (text) => keys.text(text));
      const start = process.cpuUsage();
      for (let column = secret.length + 1; column < file.text.length; column += 192) {
        const line = markedLine({ ...MISTAKE, column }, file);
        expect(line?.text.slice(line.start, line.start + 5)).toBe("<Tool");
        if (line !== undefined)
          sourceExcerpt(line, { width: 80, ellipsis: "…", colour: "red", paint: (_, text) => text });
      }
      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(4_000);
    },
  );
});
