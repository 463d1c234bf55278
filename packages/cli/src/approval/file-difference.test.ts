import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type FileDifference, fileDifference } from "./file-difference.ts";

const textOf = ({ lines }: FileDifference): readonly string[] => lines.map(({ mark, text }) => `${mark}${text}`);

async function difference(held: string | Uint8Array | undefined, text: string): Promise<FileDifference> {
  using folder = temporaryDirectory();
  const path = join(folder.path, "file");
  if (held !== undefined) writeFileSync(path, held);
  return await fileDifference(path, text);
}

const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");

const cases: readonly (readonly [
  name: string,
  held: string | Uint8Array | undefined,
  text: string,
  lines: readonly string[],
])[] = [
  ["a new file is its text", undefined, "a\nb\n", ["+a", "+b"]],
  ["a new file may be empty", undefined, "", ["!an empty file"]],
  ["a change is a unified diff", "a\nb\nc\n", "a\nB\nc\n", ["@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"]],
  ["the same text says so", "a\n", "a\n", ["!nothing changes"]],
  ["an emptied file loses its lines", "a\nb\n", "", ["!the file becomes empty", "-a", "-b"]],
  [
    "a missing newline at the end is reported",
    "a\n",
    "a",
    ["@@ -1,1 +1,1 @@", "-a", "+a", "!No newline at end of file"],
  ],
  ["line ends count", "a\r\n", "a\n", ["@@ -1,1 +1,1 @@", "-a\r", "+a"]],
  [
    "bytes that are not text are reported",
    new Uint8Array([1, 0, 2]),
    "a\n",
    ["!it contains 3 bytes that are not text", "+a"],
  ],
];

describe("a file that a tool would write", () => {
  test.each(cases)("%s", async (_name, held, text, lines) => {
    expect(textOf(await difference(held, text))).toStrictEqual([...lines]);
  });

  test("is new or not", async () => {
    expect([(await difference(undefined, "a")).isNew, (await difference("", "a")).isNew]).toStrictEqual([true, false]);
  });

  test("that is too large to compare is reported, and its new content is shown", async () => {
    const [first, ...others] = textOf(await difference("x".repeat(2 ** 20 + 1), "a\nb"));
    expect([first, ...others]).toStrictEqual(["!it contains 1048577 bytes, too many to compare", "+a", "+b"]);
  });

  test("that has little in common with the new content is not compared for long", async () => {
    const lines = textOf(await difference(numbered(5000), numbered(9000).replaceAll("line", "row")));
    expect(lines[0]).toBe("!most of it changes; the new content is");
    expect(lines).toHaveLength(9001);
  });

  test("that is a pipe without a writer does not block", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "pipe");
    expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
    expect(textOf(await fileDifference(path, "a"))).toStrictEqual(["!it is not a regular file", "+a"]);
  });

  test("that is a device or a folder is reported", async () => {
    expect(textOf(await fileDifference("/dev/zero", "a"))[0]).toBe("!it is not a regular file");
    expect(textOf(await fileDifference("/tmp", "a"))[0]).toMatch(/not a regular file|EISDIR/);
  });
});
