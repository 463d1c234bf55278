import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFileSync } from "@mdx-ai/base/disk";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { replaceFile, writeContent } from "./replace-file.ts";

const FORMS = [
  [
    "at once",
    async (path: string, text: string, mode?: number) => replaceFileSync({ path, text, ...(mode && { mode }) }),
  ],
  [
    "in the background",
    (path: string, text: string, mode?: number) =>
      replaceFile({ path, fill: (draft) => writeContent(draft, text), ...(mode && { mode }) }),
  ],
] as const;

describe.each(FORMS)("a file that is replaced %s", (_form, replace) => {
  test("holds the new text alone, with its mode, and nothing is left beside it", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a".repeat(250));
    writeFileSync(path, "old text");
    chmodSync(path, 0o640);
    await replace(path, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await replace(path, "newer", 0o644);
    expect(statSync(path).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(readdirSync(folder.path)).toHaveLength(1);
  });

  test("fails below a file with the reason that it cannot be made there", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "file"), "");
    await expect(replace(join(folder.path, "file/below"), "new")).rejects.toThrow("ENOTDIR");
  });

  test("takes the place of a link, and what that led to stays", async () => {
    using folder = temporaryDirectory();
    const [path, target] = [join(folder.path, "link"), join(folder.path, "target")];
    writeFileSync(target, "old");
    symlinkSync(target, path);
    await replace(path, "new");
    expect([readFileSync(path, "utf8"), readFileSync(target, "utf8")]).toStrictEqual(["new", "old"]);
  });

  test("leaves no draft if the rename fails", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "file");
    mkdirSync(join(path, "full"), { recursive: true });
    await expect(replace(path, "new")).rejects.toThrow("EISDIR");
    expect(readdirSync(folder.path)).toStrictEqual(["file"]);
  });

  test("takes the place of an empty folder, which a sandbox may have put there", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "file");
    mkdirSync(path);
    await replace(path, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(readdirSync(folder.path)).toStrictEqual(["file"]);
  });
});

test("a file stays as it was if filling the new one fails", async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "file");
  writeFileSync(path, "old");
  const fill = async (): Promise<void> => {
    throw new Error("no text");
  };
  await expect(replaceFile({ path, fill })).rejects.toThrow("no text");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder.path)).toStrictEqual(["file"]);
});

test("a file stays as it was if the check of the whole new one fails", () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "file");
  writeFileSync(path, "old");
  const beforeRename = (draft: string): void => {
    throw new Error(`${readFileSync(draft, "utf8")} for ${readFileSync(path, "utf8")}`);
  };
  expect(() => replaceFileSync({ path, text: ["n", "e", "w"], beforeRename })).toThrow("new for old");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder.path)).toStrictEqual(["file"]);
});
