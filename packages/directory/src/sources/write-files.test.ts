import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import type { PackageFile } from "./package-files.ts";
import { writeFiles } from "./write-files.ts";

const BYTES = new TextEncoder().encode("text");

test.each([
  ["agent", /^\.agent\./],
  [".staged.x.tmp", /^\.staged\.x\.tmp\./],
])("while %s is written, its temporary name begins as what is cleaned up", async (name, expected) => {
  using home = temporaryDirectory();
  const seen: string[] = [];
  const file: PackageFile = {
    ...{ path: "agent.mdx", isExecutable: false },
    get bytes() {
      seen.push(...readdirSync(home.path));
      return BYTES;
    },
  };
  await writeFiles(join(home.path, name), [file]);
  expect(seen).toEqual([expect.stringMatching(expected)]);
  expect(readdirSync(home.path)).toEqual([name]);
});
