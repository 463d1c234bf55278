import { describe, expect, test } from "bun:test";
import { configurationFields } from "@mdx-ai/models";
import { settingsSchema } from "@mdx-ai/parser";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { agentText } from "../../support/agent-text.ts";

const values: readonly unknown[] = [
  null,
  true,
  "",
  " ",
  "a",
  "a/b",
  "off",
  "adaptive",
  "5",
  0,
  1,
  1.5,
  2,
  2.5,
  10,
  11,
  -1,
  86_400,
  86_401,
  [],
  [1],
  [5, 15, 45],
  [3600.5],
  [-1],
  ["a"],
  ["a", 1],
  Array.from({ length: 10 }, () => "a"),
  Array.from({ length: 11 }, () => 1),
  {},
  { budget: 1 },
  { budget: 0 },
  { budget: "1" },
];

const settings = Object.keys({ ...Object(settingsSchema["properties"]) });

const shared = Object.entries(configurationFields).filter(([name]) => settings.includes(name));

describe("a configuration and the frontmatter take the same values of a field", () => {
  test.each(shared)("%s", async (name, field) => {
    for (const value of values) {
      const { diagnostics } = await parseAgentMdx(`---\n${name}: ${JSON.stringify(value)}\n---\n\n${agentText("")}`);
      const isTaken = diagnostics.length === 0;
      expect([name, value, field.read(value) !== undefined]).toEqual([name, value, isTaken]);
    }
  });

  test("but for keys, addresses and vendors, which are the user's", () => {
    const own = Object.keys(configurationFields).filter((name) => !shared.some(([known]) => known === name));
    expect(own).toEqual(["vendor", "api_key", "base_url", "api_version", "api"]);
  });
});
