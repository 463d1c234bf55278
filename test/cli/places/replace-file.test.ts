import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../../packages/cli/src/places/replace-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("a file that is replaced", () => {
  test("holds the new text alone, with its mode, and nothing is left beside it", () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a".repeat(250));
    writeFileSync(path, "old");
    replaceFile({ path, text: "new", mode: 0o600 });
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toHaveLength(1);
  });

  test("stays as it was where the check of the new one fails", () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "file");
    writeFileSync(path, "old");
    const check = (draft: string): void => {
      throw new Error(readFileSync(draft, "utf8"));
    };
    expect(() => replaceFile({ path, text: "new", check })).toThrow("new");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder.path)).toStrictEqual(["file"]);
  });

  test("takes the place of a link, and what that led to stays", () => {
    using folder = temporaryDirectory();
    const [path, target] = [join(folder.path, "link"), join(folder.path, "target")];
    writeFileSync(target, "old");
    symlinkSync(target, path);
    replaceFile({ path, text: "new" });
    expect([readFileSync(path, "utf8"), readFileSync(target, "utf8")]).toStrictEqual(["new", "old"]);
  });
});
