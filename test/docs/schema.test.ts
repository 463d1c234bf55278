import { expect, test } from "bun:test";
import { join } from "node:path";
import { settingsSchema } from "@mdx-ai/parser";

test("docs/frontmatter.schema.json, which editors use, is the schema that the parser holds frontmatter against", async () => {
  const published = await Bun.file(join(import.meta.dir, "../../docs/frontmatter.schema.json")).json();
  expect(published).toEqual(settingsSchema);
});
