import { describe, expect, test } from "bun:test";
import type { Diagnostic, TextEdit } from "@mdx-ai/parser";
import { applyFixes } from "../fixing/apply-fixes.ts";

const mistake = (fix?: TextEdit): Diagnostic => ({
  file: "agent.mdx",
  line: 1,
  column: 1,
  severity: "error",
  rule: "element-tag",
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

/** Has the mistakes in the text `from` alone. */
const once =
  (from: string, edits: readonly TextEdit[]) =>
  async (text: string): Promise<readonly Diagnostic[]> =>
    text === from ? edits.map((edit) => mistake(edit)) : [];

const editsOf = (fixed: readonly Diagnostic[]): readonly (TextEdit | undefined)[] => fixed.map(({ fix }) => fix);

describe("the fixes of one round", () => {
  const [X, Y] = [
    { start: 1, end: 3, text: "X" },
    { start: 2, end: 4, text: "Y" },
  ];
  test.each<readonly [name: string, edits: readonly TextEdit[], text: string, applied: readonly TextEdit[]]>([
    [
      "are applied wherever they are in the list",
      [
        { start: 0, end: 1, text: "A" },
        { start: 4, end: 5, text: "E" },
        { start: 2, end: 2, text: "-" },
      ],
      "Ab-cdE",
      [
        { start: 0, end: 1, text: "A" },
        { start: 2, end: 2, text: "-" },
        { start: 4, end: 5, text: "E" },
      ],
    ],
    ["that overlap one before are neither applied nor counted", [X, Y], "aXde", [X]],
    ["that touch are both applied", [X, { ...Y, start: 3 }], "aXYe", [X, { ...Y, start: 3 }]],
    [
      "at one place: the first alone is applied and counted",
      [
        { start: 1, end: 1, text: "X" },
        { start: 1, end: 1, text: "Y" },
      ],
      "aXbcde",
      [{ start: 1, end: 1, text: "X" }],
    ],
    [
      "that change nothing do not count",
      [
        { start: 1, end: 2, text: "b" },
        { ...X, start: 4, end: 5 },
      ],
      "abcdX",
      [{ ...X, start: 4, end: 5 }],
    ],
    ["may be none", [], "abcde", []],
  ])("%s", async (_name, edits, expected, applied) => {
    const { text, fixed } = await applyFixes("abcde", once("abcde", edits));
    expect(text).toBe(expected);
    expect(editsOf(fixed)).toStrictEqual([...applied]);
  });
});

describe("the fixes of several rounds", () => {
  test("go on until there is nothing left to fix, and take line ends from the text", async () => {
    const { text, fixed } = await applyFixes("aaaa\r\n", finder("aa", "a\n"));
    expect(text).toBe("a\r\na\r\n\r\n");
    expect(fixed).toHaveLength(2);
  });

  test("count where none overwrites another, however they move", async () => {
    const rounds = new Map([
      ["ab", [{ start: 1, end: 2, text: "BB" }]],
      ["aBB", [{ start: 0, end: 1, text: "" }]],
      ["BB", [{ start: 2, end: 2, text: "!" }]],
    ]);
    const { text, fixed } = await applyFixes("ab", async (now) => (rounds.get(now) ?? []).map((edit) => mistake(edit)));
    expect(text).toBe("BB!");
    expect(editsOf(fixed)).toStrictEqual([
      { start: 0, end: 1, text: "" },
      { start: 1, end: 2, text: "BB" },
      { start: 2, end: 2, text: "!" },
    ]);
  });

  test("count once where a later fix overwrites an earlier one", async () => {
    const rounds = new Map([
      ["-a-", [{ start: 1, end: 2, text: "bb" }]],
      ["-bb-", [{ start: 1, end: 3, text: "c" }]],
    ]);
    const { text, fixed } = await applyFixes("-a-", async (now) =>
      (rounds.get(now) ?? []).map((edit) => mistake(edit)),
    );
    expect(text).toBe("-c-");
    expect(editsOf(fixed)).toStrictEqual([{ start: 1, end: 3, text: "c" }]);
  });

  test("do not count where a later fix undoes an earlier one", async () => {
    const rounds = new Map([
      ["-a-", [{ start: 1, end: 2, text: "b" }]],
      [
        "-b-",
        [
          { start: 1, end: 2, text: "a" },
          { start: 3, end: 3, text: "!" },
        ],
      ],
    ]);
    const { text, fixed } = await applyFixes("-a-", async (now) =>
      (rounds.get(now) ?? []).map((edit) => mistake(edit)),
    );
    expect(text).toBe("-a-!");
    expect(editsOf(fixed)).toStrictEqual([{ start: 3, end: 3, text: "!" }]);
  });

  test("are not written if the text can then not be read in time", async () => {
    const rounds = new Map([["a", [mistake({ start: 0, end: 1, text: "b" })]]]);
    const find = async (now: string) => rounds.get(now) ?? [{ ...mistake(), rule: "text-too-complex" }];
    expect(await applyFixes("a", find)).toStrictEqual({ text: "a", fixed: [] });
  });

  test("do not count where all is as it was in the end", async () => {
    const other = new Map([
      ["a", "b"],
      ["b", "a"],
    ]);
    const swap = async (text: string) => [mistake({ start: 0, end: 1, text: other.get(text) ?? "" })];
    expect(await applyFixes("a", swap)).toStrictEqual({ text: "a", fixed: [] });
  });

  test("leave what has no fix", async () => {
    expect(await applyFixes("a", async () => [mistake()])).toStrictEqual({ text: "a", fixed: [] });
  });

  test.each([
    ["a", "b"],
    ["a", "aa"],
  ])("come to an end where %s becomes %s and that is a mistake again", async (from, to) => {
    let rounds = 0;
    await applyFixes(from, async (text) => {
      rounds += 1;
      const swapped = text === from && to !== "aa" ? to : `${text === "b" ? "a" : text + text.slice(0, 1)}`;
      return [mistake({ start: 0, end: text.length, text: swapped })];
    });
    expect(rounds).toBeLessThanOrEqual(20);
  });
});

describe("a fix after which its mistake is still there", () => {
  test("is not written, even among others", async () => {
    const stubborn = async (text: string): Promise<readonly Diagnostic[]> => {
      const at = text.indexOf("{");
      const other = text.indexOf("a");
      return [
        mistake({ start: at, end: at, text: "\\" }),
        ...(other === -1 ? [] : [{ ...mistake({ start: other, end: other + 1, text: "bb" }), message: "other" }]),
      ];
    };
    const { text, fixed } = await applyFixes("a { c", stubborn);
    expect(text).toBe("bb { c");
    expect(editsOf(fixed)).toStrictEqual([{ start: 0, end: 1, text: "bb" }]);
  });

  test("is not written where it comes to light after others, either", async () => {
    const late = async (text: string): Promise<readonly Diagnostic[]> => {
      if (text.startsWith("a")) return [mistake({ start: 0, end: 1, text: "bbb" })];
      const at = text.indexOf("{");
      return [{ ...mistake({ start: at, end: at, text: "\\" }), line: 2, message: "stubborn" }];
    };
    expect((await applyFixes("a\n{ c", late)).text).toBe("bbb\n{ c");
  });

  test("is not written where it turns the mistake into another error of the same line", async () => {
    const find = async (text: string): Promise<readonly Diagnostic[]> => [
      ...(text.includes("limits: {") ? [mistake({ start: 8, end: 9, text: '"{"' })] : []),
      ...(text.includes('"{"') ? [{ ...mistake(), message: "expected a map" }] : []),
      ...(text.includes("b: c")
        ? [{ ...mistake({ start: text.length - 4, end: text.length, text: "x" }), line: 2 }]
        : []),
    ];
    const { text, fixed } = await applyFixes("limits: {\nb: c", find);
    expect(text).toBe("limits: {\nx");
    expect(fixed).toHaveLength(1);
  });
});

test("a closing tag after which the element is still open is not written, though the next one would need no line end", async () => {
  const find = async (text: string): Promise<readonly Diagnostic[]> => [
    mistake({ start: text.length, end: text.length, text: text.endsWith("\n") ? "</Tool>\n" : "\n</Tool>\n" }),
  ];
  expect(await applyFixes("<Tool>text", find)).toStrictEqual({ text: "<Tool>text", fixed: [] });
});
