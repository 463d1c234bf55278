import { expect, test } from "bun:test";
import * as memory from "@mdx-ai/memory";
import * as server from "@mdx-ai/memory/server";

test("the memory exports these names and no others", () => {
  expect(Object.keys(memory).sort()).toEqual([
    "DEFAULT_MEMORY",
    "DEFAULT_PROMPTS",
    "LIMITS",
    "MemoryStoreError",
    "ensureMemory",
    "entryLine",
    "findMemory",
    "importLines",
    "openEmbeddedStore",
    "readLines",
    "timeOf",
  ]);
  expect(Object.keys(server)).toEqual(["serveOverStdio"]);
});
