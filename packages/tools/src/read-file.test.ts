import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeTool } from "@mdx-ai/tools";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { textOf, toolContext } from "../../../test/support/tool-context.ts";
import { type ReadTransform, readFileTool } from "./read-file.ts";

async function read(directory: string, args: Record<string, string | number>, transform?: ReadTransform) {
  const result = await executeTool(
    readFileTool(transform && { readTransform: transform }),
    args,
    toolContext(directory),
  );
  return { text: textOf(result), isError: result.isError };
}

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_file", () => {
  test("gives a small file exactly as it is", async () => {
    using folder = temporaryDirectory();
    const content = "\ufefffirst\r\nsecond  \n\n最後";
    writeFileSync(join(folder.path, "a.txt"), content);
    expect(await read(folder.path, { path: "a.txt" })).toEqual({ text: content, isError: false });
    expect(await read("/", { path: join(folder.path, "a.txt") })).toEqual({ text: content, isError: false });
  });

  test("says that a file is empty", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "");
    expect(await read(folder.path, { path: "a.txt" })).toEqual({ text: "[The file is empty.]", isError: false });
  });

  test("gives the lines asked for and says how to go on", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), lines(10));
    const part = await read(folder.path, { path: "a.txt", offset: 3, limit: 2 });
    expect(part.text).toBe("line 3\nline 4\n[Lines 3 to 4 are shown; more follow: continue with offset 5.]");
    const end = await read(folder.path, { path: "a.txt", offset: 9, limit: 2 });
    expect(end.text).toBe("line 9\nline 10\n");
    const last = await read(folder.path, { path: "a.txt", offset: 10 });
    expect(last.text).toBe("line 10\n");
  });

  test("says how many lines a file has when the offset is behind its end", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "one\ntwo");
    const result = await read(folder.path, { path: "a.txt", offset: 3 });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("has 2 lines") });
  });

  test("gives a long file in parts that join to the whole", async () => {
    using folder = temporaryDirectory();
    const content = Array.from({ length: 30_000 }, (_, index) => `${index} ${"é😀".repeat(index % 20)}\n`).join("");
    writeFileSync(join(folder.path, "a.txt"), content);
    let whole = "";
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const { text } = await read(folder.path, { path: "a.txt", offset });
      expect(text.length).toBeLessThanOrEqual(32_000);
      const next = /\[Lines \d+ to \d+ are shown; more follow: continue with offset (\d+)\.\]$/.exec(text);
      whole += next ? text.slice(0, next.index) : text;
      offset = next ? Number(next[1]) : undefined;
    }
    expect(whole === content).toBe(true);
  });

  test("gives a file of exactly 32,000 characters whole", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "x".repeat(32_000));
    expect((await read(folder.path, { path: "a.txt" })).text).toBe("x".repeat(32_000));
  });

  test("cuts a line that is too long and says where the next one is", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), `short\n${"x".repeat(1_000_000)}\nlast\n`);
    const { text } = await read(folder.path, { path: "a.txt", offset: 2 });
    expect(text).toContain("Line 2 is cut here");
    expect(text).toContain("the next line is at offset 3");
    expect((await read(folder.path, { path: "a.txt", offset: 3 })).text).toBe("last\n");
  });

  test("reads a huge file without holding it", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "huge");
    writeFileSync(path, lines(5));
    truncateSync(path, 20_000_000_000);
    const before = process.memoryUsage.rss();
    expect((await read(folder.path, { path: "huge", limit: 2 })).text).toContain("line 1\nline 2\n[Lines 1 to 2");
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test("reports bytes that are not UTF-8", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), Buffer.from([0x61, 0xff, 0x62, 0x0a]));
    const { text, isError } = await read(folder.path, { path: "a.txt" });
    expect(text).toStartWith("a\ufffdb\n[The file is not valid UTF-8");
    expect(isError).toBe(false);
  });

  test("refuses a binary file and names another way", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]));
    const result = await read(folder.path, { path: "a.png" });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("binary file") });
  });

  test("lists what a directory holds", async () => {
    using folder = temporaryDirectory();
    mkdirSync(join(folder.path, "data"));
    writeFileSync(join(folder.path, "a.txt"), "");
    const result = await read(folder.path, { path: "." });
    expect(result.isError).toBe(true);
    expect(result.text).toContain("is a directory, not a file. It contains: a.txt, data/.");
  });

  test.each([
    ["/dev/zero", "is a device"],
    ["/dev/null", "is a device"],
    ["pipe", "is a named pipe"],
    ["missing.txt", "does not exist"],
    ["a.txt/below", "a part of the path is a file"],
    ["circle", "symbolic links form a circle"],
    ["x".repeat(300), "too long"],
    ["a\0b", "null character"],
  ])("says why it cannot read %j", async (path, text) => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "a");
    symlinkSync("circle", join(folder.path, "circle"));
    Bun.spawnSync(["mkfifo", join(folder.path, "pipe")]);
    const result = await read(folder.path, { path });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining(text) });
  });

  test.skipIf(process.platform !== "linux")("reads the files of /proc, which have no size", async () => {
    const { text } = await read("/", { path: "/proc/self/status" });
    expect(text).toContain(`Pid:\t${process.pid}`);
  });

  test("changes the text as the agent wants it", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "SKILL.md"), "Run {baseDir}/go.sh\n");
    const transform: ReadTransform = (path, text) => text.replaceAll("{baseDir}", join(path, ".."));
    expect((await read(folder.path, { path: "SKILL.md" }, transform)).text).toBe(`Run ${folder.path}/go.sh\n`);
  });

  test("stays within the limit and on whole lines when that makes the text longer", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "SKILL.md"), "{baseDir}\n".repeat(3_000));
    const { text } = await read(folder.path, { path: "SKILL.md" }, (_path, content) =>
      content.replaceAll("{baseDir}", "b".repeat(99)),
    );
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(text).toEndWith("[Lines 1 to 315 are shown; more follow: continue with offset 316.]");
  });
});
