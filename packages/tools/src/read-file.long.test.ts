import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
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

describe("read_file", () => {
  test("does not search a file without end", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "sparse"), "one\n");
    truncateSync(join(folder.path, "sparse"), 2 ** 40);
    const result = await read(folder.path, { path: "sparse", offset: 3 });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("too far into the file") });
  });
});
