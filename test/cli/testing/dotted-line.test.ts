import { expect, test } from "bun:test";
import { dottedLine } from "../../../packages/cli/src/testing/dotted-line.ts";

test("blanks at the end of a line are dots", () => {
  expect(dottedLine("  a  ")).toBe("  a··");
  expect(dottedLine("   ")).toBe("···");
});
