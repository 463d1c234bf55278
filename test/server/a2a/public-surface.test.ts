import { expect, test } from "bun:test";
import * as a2a from "@mdx-ai/server/a2a";

test("the entry for A2A exports these names and no others", () => {
  expect(Object.keys(a2a).sort()).toEqual(["agentCard"]);
});
