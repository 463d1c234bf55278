import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkDirectory } from "@mdx-ai/directory/checking";
import { readAgentDirectory } from "@mdx-ai/parser";
import { surroundingsIn } from "../support/front-end.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test.each(["daily", "watcher"])("the %s example has no mistake, in its types either", async (name) => {
  using home = temporaryDirectory();
  const path = join(import.meta.dir, "../../examples", name);
  const { diagnostics } = await readAgentDirectory(path);
  expect(diagnostics.filter(({ rule }) => rule !== "skills-missing")).toStrictEqual([]);
  const { signal } = new AbortController();
  const checked = await checkDirectory(path, surroundingsIn(home.path), { signal });
  expect(checked.directory.diagnostics.filter(({ severity }) => severity !== "note")).toStrictEqual([]);
});
