import { expect, test } from "bun:test";
import { lengthText } from "../../../packages/cli/src/trace/length-text.ts";

test.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [999.5, "1 s"],
  [1240, "1.24 s"],
  [59_994, "59.99 s"],
  [59_996, "1 min"],
  [185_000, "3 min 5 s"],
  [3_599_600, "1 h"],
  [29_520_000, "8 h 12 min"],
  [86_399_999, "1 d"],
  [187_200_000, "2 d 4 h"],
])("%d milliseconds are %s", (milliseconds, text) => {
  expect(lengthText(milliseconds)).toBe(text);
});
