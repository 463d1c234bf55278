import { expect, test } from "bun:test";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";

test("the minimal example has a name and a purpose, and nothing is wrong with it", async () => {
  const { definition, diagnostics } = await readAgentDirectory(join(import.meta.dir, "../../examples/minimal"));
  expect(definition.identity.name).toBe("Minimal");
  expect(definition.identity.purpose).toBe("Answers questions in one sentence.");
  expect(diagnostics.filter(({ rule }) => rule !== "skills-missing")).toEqual([]);
});
