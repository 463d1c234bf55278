import { expect, test } from "bun:test";
import * as memory from "@mdx-ai/memory";
import * as server from "@mdx-ai/memory/server";

test("the memory exports these names and no others", () => {
  expect(Object.keys(memory).sort()).toEqual([
    "ControlState",
    "ConversationKeeper",
    "DEFAULT_MEMORY",
    "DEFAULT_PROMPTS",
    "LIMITS",
    "MemoryAgent",
    "MemoryAgentError",
    "MemoryInvoker",
    "MemoryStoreError",
    "ModelCallError",
    "buildAddEntryPrompt",
    "buildPutContextPrompt",
    "ensureMemory",
    "entryLine",
    "findMemory",
    "importLines",
    "openEmbeddedStore",
    "openRemoteStore",
    "openingText",
    "readLines",
    "threadFileName",
    "threadFiles",
    "timeOf",
    "vectorOptions",
  ]);
  expect(Object.keys(server)).toEqual(["serveOverStdio"]);
});
