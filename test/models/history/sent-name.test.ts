import { expect, test } from "bun:test";
import { sentName } from "../../../packages/models/src/history/sent-name.ts";

test.each([
  ["read_file", "read_file"],
  ["fs.list", "fs_list"],
  ["", "tool"],
  ["näh\n", "n_h_"],
  ["x".repeat(65), "x".repeat(64)],
])("the name %j of a call goes back as one that every provider takes", (name, sent) => {
  expect(sentName(name)).toBe(sent);
});
