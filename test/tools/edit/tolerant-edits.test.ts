import { describe, expect, test } from "bun:test";
import { applyEdits } from "@mdx-ai/tools/edits";
import fc from "fast-check";
import { randomCases } from "../../support/random-cases.ts";

interface ShownEdit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

const edited = (file: string, ...edits: readonly ShownEdit[]): string =>
  applyEdits(Buffer.from(file), edits).bytes.toString();

/** The message of the error, which must be one. */
function refusal(file: string, edit: ShownEdit): string {
  try {
    return `not refused: ${JSON.stringify(edited(file, edit))}`;
  } catch (error) {
    return error instanceof Error && error.name === "EditError" ? error.message : `not an EditError: ${error}`;
  }
}

const GO = "package p\n\nfunc a() {\n\tif x {\n\t\ty()\n\t}\n}\n";
const PYTHON = `class A:
    def first(self):
        if self.x:
            self.y()
        return 1

    def second(self):
        return None
`;

describe("an edit in another indentation", () => {
  test.each([
    [
      "4 blanks for tabs",
      GO,
      { old: "    if x {\n        y()\n    }\n", new: "    if x {\n        y()\n        z()\n    }\n" },
      GO.replace("y()\n", "y()\n\t\tz()\n"),
    ],
    [
      "8 blanks for tabs, deeper than all of `old`",
      GO,
      { old: "        if x {\n                y()\n", new: "        if x {\n                for {\n                        y()\n                }\n" }, // biome-ignore format: short
      GO.replace("\t\ty()\n", "\t\tfor {\n\t\t\ty()\n\t\t}\n"),
    ],
    [
      "tabs for 4 blanks",
      PYTHON,
      { old: "\t\tif self.x:\n\t\t\tself.y()\n", new: "\t\tif self.x:\n\t\t\tself.y()\n\t\telse:\n\t\t\tself.z()\n" },
      PYTHON.replace("self.y()\n", "self.y()\n        else:\n            self.z()\n"),
    ],
    [
      "2 blanks for 4, with a further statement",
      PYTHON,
      { old: "    if self.x:\n      self.y()\n", new: "    if self.x:\n      self.y()\n      self.z()\n" },
      PYTHON.replace("self.y()\n", "self.y()\n            self.z()\n"),
    ],
    [
      "8 blanks for 4, since two depths show it",
      PYTHON,
      { old: "if self.x:\n        self.y()\n", new: "if self.x:\n        for z in self:\n                self.y()\n" },
      PYTHON.replace("            self.y()\n", "            for z in self:\n                self.y()\n"),
    ],
    [
      "one line, with nested lines in its place",
      PYTHON,
      { old: "  if self.x:  \n", new: "  if self.x:\n    pass\n  if self.z:\n" },
      PYTHON.replace("        if self.x:\n", "        if self.x:\n            pass\n        if self.z:\n"),
    ],
    [
      "a line that is less deep than all of `old`",
      PYTHON,
      { old: "      self.y()\n    return 1\n", new: "      self.y()\n    return 1\n\n  z = 1\n" },
      PYTHON.replace("return 1\n", "return 1\n\n    z = 1\n"),
    ],
    [
      "no indentation at all, one line for another",
      PYTHON,
      { old: "if self.x:\nself.y()\n", new: "if self.x:\nself.z()\n" },
      PYTHON.replace("self.y()", "self.z()"),
    ],
    [
      "another base, with lines that are aligned as in the file",
      "f(\n    call(a,\n         b)\n)\n",
      { old: "call(a,\n     b)\n", new: "call(a,\n     c)\n" },
      "f(\n    call(a,\n         c)\n)\n",
    ],
    [
      "the same unit, with a new line that is aligned",
      "def f():\n    if x:\n        call(a)\n",
      { old: "if x:\n    call(a)\n", new: "if x:\n    call(a,\n         b)\n" },
      "def f():\n    if x:\n        call(a,\n             b)\n",
    ],
    [
      "the stars of a comment",
      "class A {\n\t/**\n\t * One.\n\t */\n\ta() {}\n}\n",
      { old: "    /**\n     * One.\n     */\n", new: "    /**\n     * One.\n     * Two.\n     */\n" },
      "class A {\n\t/**\n\t * One.\n\t * Two.\n\t */\n\ta() {}\n}\n",
    ],
    [
      "unchanged lines keep their blanks",
      "- a  \n  b\t\n- c\n",
      { old: "- a\nb\n- c\n", new: "- a\nb\n- d\n" },
      "- a  \n  b\t\n- d\n",
    ],
    [
      "each of all matches is indented as it is there",
      "a:\n    x()\n    y()\nb:\n\tx()\n\ty()\n",
      { old: "  x()\n  y()\n", new: "  x()\n  z()\n", all: true },
      "a:\n    x()\n    z()\nb:\n\tx()\n\tz()\n",
    ],
  ])("is translated: %s", (_name, file, edit, expected) => {
    expect(edited(file, edit)).toBe(expected);
  });

  test.each([
    [
      "a new line that is aligned, in a file with tabs",
      GO,
      { old: "    if x {\n        y()\n", new: "    if x {\n        y(a,\n          b)\n" },
      '"b)", 10 blanks deep',
    ],
    [
      "8 blanks in a file with 4, where they may be one level or two",
      PYTHON,
      { old: "if self.x:  \n", new: "if self.x:\n        pass\nif self.z:\n" },
      '"pass", 8 blanks deep',
    ],
    [
      "a text without the nesting of the file, with more lines",
      PYTHON,
      { old: "if self.x:\nself.y()\nreturn 1\n", new: "if self.x:\nself.y()\nself.z()\nreturn 1\n" },
      '"self.z()", not indented',
    ],
    [
      "blanks in a file with tabs, though `old` has tabs",
      GO,
      { old: "\tif x {  \n", new: "\tif x {\n        w()\n" },
      '"w()", 8 blanks deep',
    ],
    [
      "tabs beside blanks",
      GO,
      { old: "    if x {\n        y()\n", new: "    if x {\n\t    y()\n        w()\n" },
      '"y()", indented with blanks and tabs',
    ],
  ])("is refused: %s", (_name, file, edit, line) => {
    const message = refusal(file, edit);
    expect(message).toContain(`only without regard to indentation, and it is not clear how deep the new line ${line}`);
    const first = file.split("\n").findIndex((each) => each.trim() === edit.old.split("\n")[0]?.trim());
    // The exact lines, to copy.
    expect(message).toContain(`\n${first + 1}: ${file.split("\n")[first]}`);
  });

  test.each([
    ["blanks", PYTHON, "                    return None", "20 blanks deep", "8: ", "8 blanks deep, within line 7"],
    ["blanks for tabs", GO, `${" ".repeat(20)}y()`, "20 blanks deep", "5: \t\ty()", "2 tabs deep, within line 4"],
    [
      "tabs for blanks",
      PYTHON,
      "\t\t\t\t\t\treturn None\n",
      "6 tabs deep",
      "7:     def second(self):\n8: ",
      "at line 8",
    ],
    ["top-level", "import a\nb()\n", "        b()\n", "8 blanks deep", "2: b()", "at line 2, not indented"],
  ])("is refused for a short line at quite another depth: %s", (_name, file, old, asked, lines, shown) => {
    const message = refusal(file, { old, new: old.replace(/\w+\(?\)?(\n?)$/, "other()$1") });
    for (const part of [`\`old\` is ${asked}, but the file has this text only at line`, lines, shown]) {
      expect(message).toContain(part);
    }
  });

  test("is applied to a short line one level away, and to a long one anywhere", () => {
    expect(edited(PYTHON, { old: "            return None", new: "            return 2" })).toBe(
      PYTHON.replace("None", "2"),
    );
    const long = `const value = compute("${"a".repeat(60)}");`;
    expect(edited(`f() {\n  ${long}\n}\n`, { old: `            ${long}`, new: "            other();" })).toBe(
      "f() {\n  other();\n}\n",
    );
  });
});

describe("an edit with characters that look alike", () => {
  test.each([
    ["a blank for U+00A0", "a\u00a0= 1;\n", "a = 1;", "a = 2;", "a\u00a0= 2;\n"],
    ["a blank for a narrow one", "10\u202f000 Euro", "10 000 Euro", "10 000 Dollar", "10\u202f000 Dollar"],
    ["a blank for an ideographic one", "名前\u3000一", "名前 一", "名前 二", "名前\u3000二"],
    ["U+00A0 for a blank", "let a = 1;\n", "let\u00a0a = 1;", "let\u00a0b = 1;", "let b = 1;\n"],
    ["letters in one piece for two", "cafe\u0301 au lait", "café au lait", "café noir", "cafe\u0301 noir"],
    ["letters in two pieces for one", "Übung macht", "U\u0308bung macht", "U\u0308bung kann", "Übung kann"],
    [
      "Korean in pieces",
      "한국 2",
      "\u1112\u1161\u11ab\u1100\u116e\u11a8 2",
      "\u1112\u1161\u11ab\u1100\u116e\u11a8 3",
      "한국 3",
    ],
    ["straight quotes", "say “hi” and don’t go", "say \"hi\" and don't go", "say \"hi\" and don't stay", "say “hi” and don’t stay"], // biome-ignore format: short
    ["a quote that is replaced", "say “hi” to ‘x’", "say \"hi\" to 'x'", "say hi to 'x'", "say hi to ‘x’"],
    ["hyphens for dashes", "1990–2000 — x", "1990-2000 - x", "1990-2001 - x", "1990–2001 — x"],
    ["a non-breaking hyphen", "e‑mail a", "e-mail a", "e-mail b", "e‑mail b"],
    ["an ellipsis", "wait… a", "wait... a", "wait... b", "wait… b"],
    ["zero-width characters", "pass\u200bword\u2060 = a", "password = a", "password = b", "pass\u200bword\u2060 = b"],
    ["a mark of direction", "x\u200e = a", "x = a", "x = b", "x\u200e = b"],
    ["a soft hyphen in `old`", "Donaudampf = a", "Donau\u00addampf = a", "Donau\u00addampf = b", "Donaudampf = b"],
    ["full width", "ＡＢＣ（１）：x", "ABC(1):x", "ABC(1):y", "ＡＢＣ（１）：y"],
    ["half-width katakana", "ｶﾞｽ a", "ガス a", "ガス b", "ｶﾞｽ b"],
    ["a blank at the start of a line, and other quotes", "x:\n    say(“a”)\n    go()\n", "  say(\"a\")\n  go()\n", "  say(\"a\")\n  stop()\n", "x:\n    say(“a”)\n    stop()\n"], // biome-ignore format: short
    ["indentation with U+00A0", "x:\n\u00a0\u00a0a = 1\n", "x:\n  a = 1\n", "x:\n  a = 2\n", "x:\n\u00a0\u00a0a = 2\n"],
    ["CRLF", "“a”\r\nb\r\n", '"a"\nb', '"a"\nc', "“a”\r\nc\r\n"],
    ["other code points of the same letter", "5 \u212b a", "5 Å a", "5 Å b", "5 \u212b b"],
    ["a variant of a sign", "\u26a0\ufe0f a", "\u26a0 a", "\u26a0 b", "\u26a0\ufe0f b"],
  ])("matches: %s", (_name, file, old, replacement, expected) => {
    expect(edited(file, { old, new: replacement })).toBe(expected);
  });

  test("names both characters, and that the file's were kept", () => {
    expect(applyEdits(Buffer.from("a\u00a0= 1\n"), [{ old: "a = 1", new: "a = 2" }]).notes).toStrictEqual([
      "Edit 1 matched only by characters that look alike (the file has U+00A0 where `old` has U+0020); the file's characters were kept where `new` is as `old`.",
    ]);
  });

  test("takes the exact text where there is one, and what `new` changes in such characters alone", () => {
    expect(edited("a\u00a0b\na b\n", { old: "a b", new: "c" })).toBe("a\u00a0b\nc\n");
    expect(edited("1\u00a0–\u00a02", { old: "1 - 2", new: "1 — 2" })).toBe("1\u00a0—\u00a02");
  });

  test.each([
    ["several places", "a\u00a0b\nx\na\u202fb\n", "a b", "2 times (lines 1, 3)"],
    [
      "a letter of another script",
      "let p\u0430ss = 1;\n",
      "let pass = 1;",
      "Line 1 has U+0430 (а) where `old` has U+0061 (a).",
    ],
    ["a control character", "let a = 1;\u0007\n", "let a = 1;\nb", "Line 1 has U+0007 where `old` has nothing."],
    [
      "another text beside it",
      "x\nlet a\u00a0= one; // as before\n",
      "let a = two; // as before",
      "Line 2 has U+00A0 where `old` has U+0020.",
    ],
  ])("is refused, and the reason is named: %s", (_name, file, old, message) => {
    expect(refusal(file, { old, new: "y" })).toContain(message);
  });

  test("with `all` changes all such places", () => {
    expect(edited("“a” ‘b’ “a”", { old: '"a"', new: '"c"', all: true })).toBe("“c” ‘b’ “c”");
  });
});

/** Lines of a program: what they say, and how deep. */
interface Line {
  readonly depth: number;
  readonly text: string;
}

const program = fc
  .array(fc.record({ step: fc.integer({ min: -2, max: 1 }), text: fc.constantFrom("a", "bb", "ccc", "if x", "") }), {
    minLength: 3,
    maxLength: 30,
  })
  .map((items): readonly Line[] => {
    let depth = 0;
    return items.map(({ step, text }, index) => {
      if (text !== "") depth = index === 0 ? 0 : Math.max(0, Math.min(5, depth + step));
      // Each line once, long enough to be no short one.
      return { depth, text: text === "" ? "" : `${text}_${index}(${"argument, ".repeat(6)})` };
    });
  });

/** Lines with a unit, some levels deeper or less deep. */
const written = (lines: readonly Line[], unit: string, base = 0): string =>
  lines.map(({ depth, text }) => (text === "" ? "\n" : `${unit.repeat(depth + base)}${text}\n`)).join("");

const STYLES = { Python: ["    ", "  "], Go: ["\t"] } as const;

describe.each(Object.entries(STYLES))("random edits of programs like %s", (_name, units) => {
  test("in another unit and at another base equal the exact edit, or are refused", () => {
    let applied = 0;
    let refused = 0;
    const edit = fc.record({
      lines: program,
      unit: fc.constantFrom(...units),
      other: fc.constantFrom("  ", "    ", "        ", "\t"),
      range: fc.tuple(fc.nat(29), fc.integer({ min: 1, max: 6 })),
      base: fc.integer({ min: -5, max: 2 }),
      change: fc.record({
        at: fc.nat(6),
        step: fc.integer({ min: -1, max: 1 }),
        removed: fc.integer({ min: 0, max: 2 }),
      }),
    });
    fc.assert(
      fc.property(edit, ({ lines, unit, other, range: [from, count], base, change }) => {
        const start = from % lines.length;
        const old = lines.slice(start, start + count);
        fc.pre(old.some(({ text }) => text !== ""));
        const at = change.at % (old.length + 1);
        const beside = old[Math.min(at, old.length - 1)]?.depth ?? 0;
        const added = { depth: Math.max(0, beside + change.step), text: "added()" };
        const now = [...old.slice(0, at), added, ...old.slice(at + change.removed)];
        // No program is two levels deeper from one line to the next.
        const depths = now.filter(({ text }) => text !== "").map(({ depth }) => depth);
        fc.pre(depths.every((depth, index) => depth <= (depths[index - 1] ?? depth) + 1));
        const least = Math.min(...[...old, ...now].filter(({ text }) => text !== "").map(({ depth }) => depth));
        const offset = Math.max(base, -least);
        const file = written(lines, unit);
        const exact = written([...lines.slice(0, start), ...now, ...lines.slice(start + count)], unit);
        const tolerant = { old: written(old, other, offset), new: written(now, other, offset) };
        // The other unit may be the same, or `old` part of the file by chance.
        // A file without indentation has no unit.
        fc.pre(/^[ \t]/m.test(file) && tolerant.old !== tolerant.new && !file.includes(tolerant.old));
        const message = refusal(file, tolerant);
        if (message.startsWith("not refused: ")) {
          applied += 1;
          expect(JSON.parse(message.slice("not refused: ".length))).toBe(exact);
        } else {
          refused += 1;
          expect(message).toContain("it is not clear how deep the new line");
        }
      }),
      randomCases(500),
    );
    expect(applied).toBeGreaterThan(4 * refused);
  });
});
