import { expect, test } from "bun:test";
import { configurationSchema } from "@mdx-ai/models";
import { settingsSchema } from "@mdx-ai/parser/settings";

const settings: Readonly<Record<string, unknown>> = { ...Object(settingsSchema["properties"]) };

test("a configuration and the frontmatter take the same values of a field, but for models with blanks in their paths", () => {
  const fields = Object.entries(configurationSchema().properties ?? {});
  const shared = fields.filter(([name]) => Object.hasOwn(settings, name) && name !== "model");
  expect(shared.length).toBeGreaterThan(5);
  for (const [name, field] of shared) expect([name, JSON.parse(JSON.stringify(field))]).toEqual([name, settings[name]]);
  const rest = fields.map(([name]) => name).filter((name) => !Object.hasOwn(settings, name));
  expect(rest).toEqual(["vendor", "api_key", "base_url", "api_version", "api"]);
});
