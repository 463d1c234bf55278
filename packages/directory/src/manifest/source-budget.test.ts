import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { filesBelow } from "./collect-code.ts";
import { SourceBudget } from "./source-budget.ts";

describe("what is looked through", () => {
  test("may be so many files, and no more", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { a: "1", b: "2", c: "3" });
    const budget = new SourceBudget({ files: 2, megabytes: 1 });
    expect(budget.read(join(folder.path, "a"))).toStrictEqual(Buffer.from("1"));
    budget.read(join(folder.path, "b"));
    expect(() => budget.read(join(folder.path, "c"))).toThrow("more than 2 files");
    expect(() => filesBelow(folder.path, new SourceBudget({ files: 2, megabytes: 1 }))).toThrow("more than 2 files");
    expect(filesBelow(folder.path, new SourceBudget({ files: 3, megabytes: 1 }))).toHaveLength(3);
  });

  test("may be so many bytes together, and no more", () => {
    using folder = temporaryDirectory();
    const half = "x".repeat(600 * 1024);
    writeFiles(folder.path, { a: half, b: half });
    const budget = new SourceBudget({ files: 9, megabytes: 1 });
    budget.read(join(folder.path, "a"));
    expect(() => budget.read(join(folder.path, "b"))).toThrow("more than 1 megabytes");
  });

  test.skipIf(process.platform !== "linux")(
    "ends at that limit where a file says that it is empty and has no end",
    () => {
      const budget = new SourceBudget({ files: 9, megabytes: 1 });
      expect(() => budget.read("/proc/self/pagemap")).toThrow("more than 1 megabytes");
      expect(new SourceBudget().read("/proc/self/comm")?.length).toBeGreaterThan(0);
    },
  );
});
