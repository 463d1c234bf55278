import { describe, expect, test } from "bun:test";
import type { Diagnostic, TextEdit } from "@mdx-ai/parser";
import { applyEdits } from "../../../packages/cli/src/checking/fixing/apply-edits.ts";
import { mendText } from "../../../packages/cli/src/checking/fixing/mend-text.ts";

const mistake = (fix?: TextEdit): Diagnostic => ({
  file: "agent.mdx",
  line: 1,
  column: 1,
  severity: "error",
  rule: "mdx-tag",
  message: "m",
  ...(fix === undefined ? {} : { fix }),
});

/** Finds every occurrence of a text, which is to be replaced. */
const finder =
  (searched: string, replacement: string) =>
  async (text: string): Promise<readonly Diagnostic[]> =>
    Array.from(text.matchAll(new RegExp(searched, "g")), ({ index }) =>
      mistake({ start: index, end: index + searched.length, text: replacement }),
    );

describe("edits of a text", () => {
  test.each<readonly [name: string, edits: readonly TextEdit[], expected: string]>([
    [
      "are applied wherever they stand in the list",
      [
        { start: 0, end: 1, text: "A" },
        { start: 4, end: 5, text: "E" },
        { start: 2, end: 2, text: "-" },
      ],
      "Ab-cdE",
    ],
    [
      "that overlap one before are left out",
      [
        { start: 1, end: 3, text: "X" },
        { start: 2, end: 4, text: "Y" },
      ],
      "aXde",
    ],
    [
      "that touch are both applied",
      [
        { start: 1, end: 2, text: "X" },
        { start: 2, end: 3, text: "Y" },
      ],
      "aXYde",
    ],
    [
      "at one place: the first alone",
      [
        { start: 1, end: 1, text: "X" },
        { start: 1, end: 1, text: "Y" },
      ],
      "aXbcde",
    ],
    ["none change nothing", [], "abcde"],
  ])("%s", (_name, edits, expected) => {
    expect(applyEdits("abcde", edits)).toBe(expected);
  });
});

describe("mending a text", () => {
  test("goes on until there is nothing left to mend, and takes line ends from the text", async () => {
    const { text, mended } = await mendText("aaaa\r\n", finder("aa", "a\n"));
    expect(text).toBe("a\r\na\r\n\r\n");
    expect(mended).toHaveLength(2);
  });

  test("leaves what has no mend", async () => {
    expect(await mendText("a", async () => [mistake()])).toStrictEqual({ text: "a", mended: [] });
  });

  test.each([
    ["a", "b"],
    ["a", "aa"],
  ])("comes to an end where %s becomes %s and that is a mistake again", async (from, to) => {
    let rounds = 0;
    await mendText(from, async (text) => {
      rounds += 1;
      const swapped = text === from && to !== "aa" ? to : `${text === "b" ? "a" : text + text.slice(0, 1)}`;
      return [mistake({ start: 0, end: text.length, text: swapped })];
    });
    expect(rounds).toBeLessThanOrEqual(20);
  });
});
