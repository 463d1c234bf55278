import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { executeTool } from "@mdx-ai/tools";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { textOf, toolContext } from "../../../test/support/tool-context.ts";
import { draftName } from "../../base/src/disk/drafts.ts";
import { writeFileTool } from "./write-file.ts";

async function write(directory: string, path: string, content = "new") {
  const result = await executeTool(writeFileTool(), { path, content }, toolContext(directory));
  return { text: textOf(result), isError: result.isError };
}

describe("write_file", () => {
  test("makes the folders of a new file and says how many bytes it wrote", async () => {
    using folder = temporaryDirectory();
    const result = await write(folder.path, "a/b/c.txt", "héllo 😀");
    expect(result).toEqual({ text: `created ${folder.path}/a/b/c.txt: 11 bytes written`, isError: false });
    expect(readFileSync(join(folder.path, "a/b/c.txt"), "utf8")).toBe("héllo 😀");
  });

  test("replaces a file, keeps its mode and leaves no other file", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "run.sh"), "old");
    chmodSync(join(folder.path, "run.sh"), 0o754);
    expect((await write(folder.path, "run.sh")).text).toStartWith("replaced");
    expect(statSync(join(folder.path, "run.sh")).mode & 0o777).toBe(0o754);
    expect(readdirSync(folder.path)).toEqual(["run.sh"]);
  });

  test("removes what a killed process left beside the file, and nothing of the user's", async () => {
    using folder = temporaryDirectory();
    const dead = Bun.spawn(["true"]);
    await dead.exited;
    const own = draftName(".other.txt");
    const left = own.replace(`-${process.pid}-`, `-${dead.pid}-`);
    const theirs = left.replace(/^\./, "");
    const elsewhere = left.replace(/\.[0-9a-z]+-/, ".abc-");
    for (const name of [own, left, theirs, elsewhere]) writeFileSync(join(folder.path, name), "");
    mkdirSync(join(folder.path, left.replace("other", "folder")));
    await write(folder.path, "a.txt");
    const kept = ["a.txt", own, theirs, elsewhere, left.replace("other", "folder")];
    expect(readdirSync(folder.path).sort()).toEqual(kept.sort());
  });

  test("has what it changed in its details, for user interfaces", async () => {
    using folder = temporaryDirectory();
    const details = async (content: string, options = {}) => {
      const args = { path: "a.txt", content };
      return (await executeTool(writeFileTool(options), args, toolContext(folder.path))).details;
    };
    expect(await details("one\ntwo\nthree\n")).toEqual({ created: true });
    expect(await details("one\nTWO\nthree\n")).toEqual({ diff: "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three" });
    expect(await details("one\nTWO\nthree\n")).toEqual({ diff: "" });
    expect(await details("x".repeat(300_000))).toBeUndefined();
    writeFileSync(join(folder.path, "a.txt"), "\0");
    expect(await details("text")).toBeUndefined();
    expect(await details("more", { isHidden: (path: string) => path.endsWith("a.txt") })).toBeUndefined();
  });

  test("shows a reader either the old or the new content, never a part", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a.txt");
    const contents = ["a", "b"].map((letter) => letter.repeat(2_000_000));
    writeFileSync(path, "a".repeat(2_000_000));
    let writing = true;
    const written = (async () => {
      for (let round = 0; round < 10; round += 1) await write(folder.path, "a.txt", contents[round % 2]);
      writing = false;
    })();
    while (writing) {
      expect(contents.includes(await Bun.file(path).text())).toBe(true);
    }
    await written;
  });

  test("takes parallel writes of one file one after the other", async () => {
    using folder = temporaryDirectory();
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
    await Promise.all(contents.map((content) => write(folder.path, "a.txt", content)));
    expect(contents).toContain(readFileSync(join(folder.path, "a.txt"), "utf8"));
    expect(readdirSync(folder.path)).toEqual(["a.txt"]);
  });

  test("writes through a symbolic link to its target", async () => {
    using folder = temporaryDirectory();
    mkdirSync(join(folder.path, "real"));
    writeFileSync(join(folder.path, "real/a.txt"), "old");
    symlinkSync("real/a.txt", join(folder.path, "link"));
    expect((await write(folder.path, "link")).isError).toBe(false);
    expect(lstatSync(join(folder.path, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder.path, "real/a.txt"), "utf8")).toBe("new");
  });

  test("writes through a link to nothing where it points", async () => {
    using folder = temporaryDirectory();
    symlinkSync("later/a.txt", join(folder.path, "link"));
    expect((await write(folder.path, "link")).isError).toBe(false);
    expect(readFileSync(join(folder.path, "later/a.txt"), "utf8")).toBe("new");
  });

  test.each([
    ["a.txt/below/c.txt", '/a.txt" is a file where a folder should be'],
    ["folder", "is a directory"],
    [".", "is a directory"],
    ["/dev/null", "is a device or pipe"],
    ["circle", "too many symbolic links"],
    ["x".repeat(300), "too long"],
    ["a\0b", "null character"],
  ])("says why it cannot write %j", async (path, text) => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "old");
    mkdirSync(join(folder.path, "folder"));
    symlinkSync("circle", join(folder.path, "circle"));
    const result = await write(folder.path, path);
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining(text) });
    expect(readFileSync(join(folder.path, "a.txt"), "utf8")).toBe("old");
  });

  test("leaves a read-only file alone", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "old");
    chmodSync(folder.path, 0o777);
    chmodSync(join(folder.path, "a.txt"), 0o444);
    // The superuser may write whatever a file's mode says.
    const writer = Bun.spawn(
      [process.execPath, join(import.meta.dir, "../../../test/support/write-as-nobody-process.ts"), folder.path],
      {
        cwd: "/",
      },
    );
    expect(JSON.parse(await writer.stdout.text())).toMatchObject({
      isError: true,
      text: expect.stringContaining("read-only"),
    });
    expect(readFileSync(join(folder.path, "a.txt"), "utf8")).toBe("old");
  });

  test("ends with an error result, and not the process, if it fails while the former content is kept", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "old");
    const writer = join(import.meta.dir, "../../../test/support/slowly-kept-write-process.ts");
    // No file may have more than 500 blocks: as on a full disk.
    const limited = "trap '' XFSZ; ulimit -f 500; exec \"$@\"";
    const child = Bun.spawn(["bash", "-c", limited, "bash", process.execPath, writer, folder.path], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ isError: true, text: expect.stringContaining("a.txt") });
    expect([readdirSync(folder.path), readFileSync(join(folder.path, "a.txt"), "utf8")]).toEqual([["a.txt"], "old"]);
  });
});
