import { expect, test } from "bun:test";
import * as engine from "@mdx-ai/engine";

test("the package engine exports these names and no others", () => {
  expect(Object.keys(engine).sort()).toEqual([
    "EngineError",
    "connectEngine",
    "openEngine",
    "readEngineSession",
    "writeEngineSession",
  ]);
});
