import { describe, expect, test } from "bun:test";
import { plainLine, plainText } from "@mdx-ai/directory/text";

const cases: readonly (readonly [name: string, input: string, output: string])[] = [
  ["leaves plain text alone", "Grüße 👩‍👩‍👧‍👦 日本\n\tend ", "Grüße 👩‍👩‍👧‍👦 日本\n\tend "],
  ["takes colours out", "\u001b[1;31mred\u001b[0m", "red"],
  ["takes out the one-byte form of a sequence", "\u009b31mred\u009b0m", "red"],
  ["takes out a title that ends with BEL", "a\u001b]0;owned\u0007b", "ab"],
  ["takes out a title that ends with ST", "a\u001b]2;owned\u001b\\b", "ab"],
  ["takes out a title in one-byte form", "a\u009d0;owned\u009cb", "ab"],
  ["keeps the text of a link", "\u001b]8;;http://x.y\u001b\\here\u001b]8;;\u001b\\", "here"],
  ["takes out a clipboard write", "\u001b]52;c;ZXZpbA==\u0007ok", "ok"],
  ["takes out a device control string", "\u001bP1$r0m\u001b\\ok", "ok"],
  ["takes out an application command", "\u001b_Gf=24;AAAA\u001b\\ok", "ok"],
  ["hides nothing behind an unended title", "\u001b]0;title\nnext line", "0;title\nnext line"],
  ["hides nothing behind an unended sequence", "\u001b[12\nnext", "\nnext"],
  ["takes out cursor movement and erasing", "safe\u001b[2K\u001b[1A\u001b[3Jtext", "safetext"],
  ["takes out private modes", "\u001b[?1049h\u001b[?25l\u001b[>4;2mx", "x"],
  ["takes out a reset and a charset switch", "\u001bcx\u001b(0y", "xy"],
  ["turns a carriage return into a newline", "10%\r20%\r\n30%\n\r40%", "10%\n20%\n30%\n\n40%"],
  ["takes out bell, backspace, delete and null", "a\u0007b\bc\u007fd\u0000e", "abcde"],
  ["takes out the controls above ASCII", "a\u0085b\u0080c\u009fd", "abcd"],
  ["takes out a lone escape", "a\u001b", "a"],
  ["takes out what turns the reading order around", "a\u202egnp.exe\u202c\u2066b\u2069", "agnp.exeb"],
  ["takes out what has no width", "a\u200bd\u2060m\ufeffi\u{e0041}n\u180e", "admin"],
  ["keeps the marks that right-to-left text needs", "\u200e\u200f\u061cשלום", "\u200e\u200f\u061cשלום"],
  ["replaces half a character", "a\ud83d\u001b[0mb\udc4d", "a\ufffdb\ufffd"],
  ["leaves no sequence that removal puts together", "\u001b\u001b[31m[31mx", "[31mx"],
  ["leaves no sequence that inner removal puts together", "\u001b\u0007[31mx", "[31mx"],
];

const control = /(?![\n\t])\p{Cc}/u;

describe("plain text", () => {
  test.each(cases)("%s", (_name, input, output) => {
    expect(plainText(input)).toBe(output);
  });

  test("fits on one line", () => {
    expect(plainLine(" a\r\n\tb\u001b[31m\u2028c\n")).toBe("a b c");
  });

  test("leaves no control character of any text", () => {
    const alphabet = [
      "\u001b",
      "[",
      "]",
      "P",
      "_",
      "\\",
      "0",
      ";",
      "m",
      "\u0007",
      "\u009b",
      "\u009d",
      "\u009c",
      "\r",
      "\n",
      "x",
    ];
    let seed = 7;
    const next = (): number => {
      seed = (seed * 48271) % 2147483647;
      return seed;
    };
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: next() % 12 }, () => alphabet[next() % alphabet.length]).join("");
      expect(control.test(plainText(text))).toBe(false);
    }
  });

  test.each(["\u001b]0;", "\u009d", "\u001b[1", "\u001b", "\u009b1;", "\r", "\u0090x"])(
    "stays linear on many %j",
    (piece) => {
      expect(control.test(plainText(piece.repeat(300_000)))).toBe(false);
    },
  );
});
