import { expect, test } from "bun:test";
import { takeId } from "../../../packages/models/src/history/take-id.ts";

test("each call gets an id that no other has, the wanted one where it is free", () => {
  const taken = new Set<string>();
  const given = ["a", "a", "a_2", "", "", "a"].map((wanted) => takeId(wanted, taken));
  expect(given).toEqual(["a", "a_2", "a_2_2", "call", "call_2", "a_3"]);
});
