import { expect, test } from "bun:test";
import { dottedLine } from "../../../packages/directory/src/comparing/text-difference.ts";

test("blanks at the end of a line are dots", () => {
  expect(dottedLine("  a  ")).toBe("  a··");
  expect(dottedLine("   ")).toBe("···");
});
