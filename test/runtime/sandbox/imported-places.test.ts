import { expect, test } from "bun:test";
import { join } from "node:path";
import { importedPlaces } from "../../../packages/runtime/src/sandbox/imported-places.ts";
import { writeText } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const code = (text: string) => ({ text, position: { line: 1, column: 1 }, indent: 0 });

test("the code of a tool needs the files that it imports, and those that these import", () => {
  using folder = temporaryDirectory();
  writeText(join(folder.path, "one.ts"), 'export { two as one } from "./two.ts";');
  writeText(join(folder.path, "two.ts"), "export const two = 2;");
  writeText(join(folder.path, "other.ts"), "export const other = 3;");
  expect(
    importedPlaces(code('import { one } from "./one.ts"; export const execute = () => one;'), folder.path),
  ).toStrictEqual([join(folder.path, "one.ts"), join(folder.path, "two.ts")]);
});
