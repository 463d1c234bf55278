import { expect, test } from "bun:test";
import * as mcp from "@mdx-ai/server/mcp";

test("the entry for other agents exports these names and no others", () => {
  expect(Object.keys(mcp).sort()).toEqual(["serveMcp", "serveMcpHttp"]);
});
