import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { randomCases } from "../../../test/support/random-cases.ts";
import { ShellOutput } from "./shell-output.ts";
import { TerminalText } from "./terminal-text.ts";

function shown(...pieces: readonly string[]): string {
  const terminal = new TerminalText();
  return [...pieces.map((piece) => terminal.add(piece)), terminal.end()].join("");
}

const CASES: Readonly<Record<string, readonly [written: string, expected: string]>> = {
  "colours": ["\u001b[1;32mok\u001b[0m 1\n\u001b[38;2;1;2;3mx\u001b[m\n", "ok 1\nx\n"],
  "colours with colons": ["\u001b[4:3mx\u001b[0m", "x"],
  "modes": ["\u001b[?25l\u001b[?2004hx\u001b[?25h", "x"],
  "a title": ["\u001b]0;title\u0007x\u001b]2;other\u001b\\y", "xy"],
  "links": ["\u001b]8;;https://a.test\u001b\\text\u001b]8;;\u001b\\ more", "text more"],
  "character sets": ["\u001b(B\u001b)0\u000ex\u000f\u001b%G", "x"],
  "device strings": ["a\u001bPq#0;2~~\u001b\\b\u001b_Gf=100;AAAA\u001b\\c\u001b^p\u001b\\d", "abcd"],
  "a title without an end": ["a\u001b]0;title\nb\n", "a\nb\n"],
  "sequences of one letter": ["\u001b=\u001b>\u001bcx", "x"],
  "the short start of a sequence": ["\u009b31mx\u009b0m", "x"],
  "a bell": ["a\u0007b", "ab"],
  "a sequence that is none": ["a\u001b[31\nb", "a31\nb"],
  "two escapes": ["a\u001b\u001b[31mb", "ab"],
  "an escape at the end": ["a\u001b[3", "a"],
  "tabs, and other control characters": ["a\tb\u0000c\u001fd\f\n", "a\tb\u0000c\u001fd\f\n"],
  "line ends of Windows": ["a\r\nb\r\n\r\nc", "a\nb\n\nc"],
  "returns before a line end": ["a\r\r\nb", "a\nb"],
  "a percentage": ["\r\u001b[32m1%\u001b[0m\r\u001b[32m50%\u001b[0m\r\u001b[32m100%\u001b[0m\n", "100%\n"],
  "a shorter text over a longer one": ["Downloading\rDone\u001b[K\n", "Done\n"],
  "blanks over a longer text": ["working...\rok        \r\n", "ok\n"],
  "what is left of a longer text": ["12345\rab\n", "ab345\n"],
  "an erased line": ["spinner\u001b[2K\rdone\n", "done\n"],
  "an erased start": ["abcdef\u001b[3D\u001b[1K\n", "    ef\n"],
  "a spinner that backs up": ["x |\b/\b-\b\\\b \bdone\n", "x done\n"],
  "bold by backspaces": ["N\bNA\bAM\bME\bE _\bu\n", "NAME u\n"],
  "characters outside the first plane": ["😀😀\r🚀\n", "🚀😀\n"],
  "wide characters": ["下载 50%\r下载 99%\n", "下载 99%\n"],
  "columns": ["abc\u001b[1Gx\u001b[5Gy\n", "xbc y\n"],
  "removed and blank characters": ["abcdef\r\u001b[2P\u001b[2X\n", "  ef\n"],
  "several lines that are written again": [
    "a: 1%\nb: 1%\n\u001b[2A\u001b[2Ka: 50%\n\u001b[2Kb: 70%\n\u001b[2A\u001b[2Ka: done\n\u001b[2Kb: done\nend\n",
    "a: done\nb: done\nend\n",
  ],
  "lines erased from below": ["one\ntwo\nthree\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K\u001b[Gall done\n", "all done\n"],
  "everything below": ["a\nb\nc\n\u001b[3F\u001b[0Jx\n", "x\n"],
  "a saved cursor": ["\u001b7working\u001b8\u001b[Kdone\n", "done\n"],
  "more lines up than there are": ["a\n\u001b[99Ab\n", "b\n"],
  "a cleared screen": ["before\n\u001b[H\u001b[2J\u001b[3Jafter\n", "before\nafter\n"],
  "git fetch": ["remote: Counting: 50%\u001b[K\rremote: Counting: 100%, done.\u001b[K\r\nok\n", "remote: Counting: 100%, done.\nok\n"],
  "no text": ["", ""],
  "lines alone": ["\n\n", "\n\n"],
}; // biome-ignore format: a table

describe("the output of a command", () => {
  test.each(Object.entries(CASES))("is shown as a terminal leaves it: %s", (_name, [written, expected]) => {
    expect(shown(written)).toBe(expected);
    // Cut anywhere.
    const characters = Array.from(written);
    expect(shown(...characters)).toBe(expected);
    for (const at of characters.keys()) {
      expect(shown(characters.slice(0, at).join(""), characters.slice(at).join(""))).toBe(expected);
    }
  });

  test("is the same however its bytes are cut", async () => {
    const alphabet = fc.constantFrom(..."a é😀\n\r\b\u001b[]2K1AmJH;\u0007\\(B");
    await fc.assert(
      fc.asyncProperty(fc.array(alphabet, { maxLength: 60 }), fc.array(fc.nat(80)), async (characters, cuts) => {
        const bytes = Buffer.from(characters.join(""));
        const sorted = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
          (one, other) => one - other,
        );
        const pieces = sorted.slice(1).map((cut, index) => bytes.subarray(sorted[index], cut));
        const output = new ShellOutput();
        await output.readUntilExit(new Blob(pieces).stream(), Promise.resolve());
        const direct = new ShellOutput();
        const stream = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
            controller.close();
          },
        });
        await direct.readUntilExit(stream, Promise.resolve());
        expect(direct.text(32_000)).toBe(output.text(32_000));
        expect(direct.text(32_000)).toBe(shown(characters.join("")));
        expect(direct.text(32_000)).not.toContain("\u001b");
      }),
      randomCases(200),
    );
  });

  test("without anything to leave out stays as it is, of any length", () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index} ${"x".repeat(index)}\n`).join("");
    expect(shown(lines)).toBe(lines);
    expect(shown(...(lines.match(/.{1,1000}/gs) ?? []))).toBe(lines);
    const long = `${"y".repeat(100_000)}\n${"z".repeat(50_000)}`;
    expect(shown(long, long)).toBe(long + long);
    expect(shown(...(long.match(/.{1,777}/gs) ?? []))).toBe(long);
  });

  test.each([
    ["lines", "the quick brown fox jumps over the lazy dog\n"],
    ["colours", "\u001b[32mthe quick\u001b[0m brown \u001b[1mfox\u001b[0m\n"],
    ["a bar of progress", "\r[=====>     ] 42% of 100 MB"],
    ["one line", "abcdefghij"],
    ["backspaces", "x\b"],
    ["a start of a title", "\u001b]0;"],
    ["starts of sequences", "\u001b[1;"],
    ["lines above", "\u001b[1A\u001b[2Kabc\n"],
    ["a line above without an end", "\n\u001b[Aabcdefgh\u001b[9999C"],
  ])("takes time and memory for its length alone: %s", (_name, unit) => {
    const piece = unit.repeat(Math.ceil(65_536 / unit.length));
    const terminal = new TerminalText();
    const start = process.cpuUsage();
    let kept = 0;
    for (let read = 0; read < 2_000_000; read += piece.length) kept += terminal.add(piece).length;
    kept += terminal.end().length;
    expect(kept).toBeLessThanOrEqual(2_200_000);
    // In microseconds.
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });
});
