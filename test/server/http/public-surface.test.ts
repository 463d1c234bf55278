import { expect, test } from "bun:test";
import * as http from "@mdx-ai/server/http";

test("the server's entry for HTTP exports these names and no others", () => {
  expect(Object.keys(http).sort()).toEqual(["isLoopback", "loadApi", "serve"]);
});
