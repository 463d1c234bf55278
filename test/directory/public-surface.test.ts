import { expect, test } from "bun:test";
import * as directory from "@mdx-ai/directory";
import * as checking from "@mdx-ai/directory/checking";
import * as error from "@mdx-ai/directory/error";
import * as lock from "@mdx-ai/directory/lock";
import * as testing from "@mdx-ai/directory/testing";
import * as text from "@mdx-ai/directory/text";
import * as toolHost from "@mdx-ai/directory/tool-host";

test.each([
  ["directory", directory],
  ["checking", checking],
  ["error", error],
  ["lock", lock],
  ["testing", testing],
  ["text", text],
  ["tool-host", toolHost],
])("the entry %s exports its names and no others", (name, entry) => {
  expect(Object.keys(entry).sort()).toStrictEqual(NAMES[name]);
});

const NAMES: Readonly<Record<string, readonly string[]>> = {
};
