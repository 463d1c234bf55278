import { describe, expect, test } from "bun:test";
import { settingsSchema } from "@mdx-ai/parser";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { agentText } from "../../support/agent-text.ts";
import { placesOf } from "../../support/diagnostic-places.ts";

const withSettings = (yaml: string): string => `---\n${yaml}\n---\n\n${agentText("")}`;

test("all settings that this version acts on are read", async () => {
  const yaml = `name: A
description: "Does: things"
model: anthropic/claude-x
temperature: 0.5
max_tokens: 1000
limits:
  turns: 7
schedule: 1h30m
timezone: Europe/Vienna`;
  const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
  expect(diagnostics).toEqual([]);
  expect(settings).toEqual({
    name: "A",
    description: "Does: things",
    model: "anthropic/claude-x",
    temperature: 0.5,
    max_tokens: 1000,
    limits: { turns: 7 },
    schedule: "1h30m",
    timezone: "Europe/Vienna",
  });
});

for (const yaml of ["", "# only a comment", "\n\n"]) {
  test(`frontmatter that says nothing is all right: ${JSON.stringify(yaml)}`, async () => {
    const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
    expect(diagnostics).toEqual([]);
    expect(settings).toEqual({});
  });
}

describe("a mistake is told at its place and left out", () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ["a text for a number", "temperature: warm", ["2:14 setting-type"]],
    ["a number out of bounds", "temperature: 3", ["2:14 setting-type"]],
    ["no number at all", "temperature: .nan", ["2:14 setting-type"]],
    ["a number for a text", "name: 007", ["2:7 setting-type"]],
    ["nothing for a text", "model:", ["2:7 setting-type"]],
    ["a model with spaces", "model: claude the third", ["2:8 setting-type"]],
    ["a fraction of a token", "max_tokens: 1.5", ["2:13 setting-type"]],
    ["a list for a map", "limits: [1]", ["2:9 setting-type"]],
    ["a deep mistake", "limits:\n  turns: 0", ["3:10 setting-type"]],
    ["an unknown key", "temprature: 1", ["2:1 setting-unknown"]],
    ["a deep unknown key", "limits:\n  turns: 5\n  turn: 5", ["4:3 setting-unknown"]],
    ["an interval in words", "schedule: soon", ["2:11 setting-type"]],
    ["an interval of nothing", "schedule: 0s", ["2:11 setting-type"]],
    ["an interval of months", "schedule: 60d", ["2:11 setting-type"]],
    ["a time zone of no place", "timezone: Europe/Wien2", ["2:11 setting-type"]],
    ["a time zone as an offset", "timezone: '+02:00'", ["2:11 setting-type"]],
    ["a list instead of keys", "- a\n- b", ["2:1 frontmatter-syntax"]],
    ["a text instead of keys", "hello", ["2:1 frontmatter-syntax"]],
    ["a colon in a text", "name: A\ndescription: this: that", ["3:14 frontmatter-syntax"]],
    ["a key twice", "name: A\nname: B", ["3:1 frontmatter-syntax"]],
    ["a text that is not closed", 'name: "A', ["2:9 frontmatter-syntax"]],
    ["a tab for indentation", "limits:\n\tturns: 5", ["3:1 frontmatter-syntax"]],
    ["an alias of itself", "context: &a [*a]", ["2:1 frontmatter-syntax"]],
    ["many brackets that are not closed", `limits: ${"{a: ".repeat(50)}`, ["2:209 frontmatter-syntax"]],
    ["half of a character", '"\\ud800": 1', ["2:1 frontmatter-syntax"]],
  ];
  for (const [name, yaml, places] of rows) {
    for (const newline of ["\n", "\r\n"]) {
      test(`${name}${newline === "\n" ? "" : ", with CRLF"}`, async () => {
        const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml).replaceAll("\n", newline));
        expect(placesOf(diagnostics)).toEqual(places);
        expect(settings).toEqual(yaml.includes("turns: 5\n") ? { limits: { turns: 5 } } : {});
        for (const { message } of diagnostics) expect(message).toMatch(/^unexpected .+, expected .+/);
      });
    }
  }

  test("a hint says what was meant", async () => {
    const { diagnostics } = await parseAgentMdx(withSettings("temprature: 1\nname: 5"));
    expect(diagnostics.map((one) => one.hint)).toEqual(["did you mean `temperature`?", 'put the value in quotes: "5"']);
  });

  test("one mistake does not cost the other settings", async () => {
    const { settings } = await parseAgentMdx(withSettings("name: A\ntemperature: hot\nmax_tokens: 5"));
    expect(settings).toEqual({ name: "A", max_tokens: 5 });
  });
});

describe("a setting without effect yet", () => {
  const known = ["thinking", "context", "builtins", "permissions", "sandbox", "mcp", "skills", "triggers", "memory"];
  for (const key of known) {
    test(`is warned of: ${key}`, async () => {
      const { diagnostics } = await parseAgentMdx(withSettings(`${key}: [a]`));
      expect(diagnostics).toMatchObject([{ line: 2, column: 1, severity: "warning", rule: "setting-not-supported" }]);
      expect(diagnostics[0]?.hint).toContain("no effect");
    });
  }

  test("is warned of within limits", async () => {
    const yaml = "limits:\n  turns: 3\n  toolCalls: 6\n  tokens: 5\n  usd: 1\n  seconds: 9";
    const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
    expect(settings).toEqual({ limits: { turns: 3 } });
    expect(placesOf(diagnostics)).toEqual([4, 5, 6, 7].map((line) => `${line}:3 setting-not-supported`));
  });

  const unsafe = [
    "sandbox: required",
    "sandbox: true",
    "permissions: {bash: deny}",
    "permissions:\n  bash:\n    - 'rm *': deny",
  ];
  for (const yaml of unsafe) {
    test(`is an error where its author relies on it: ${yaml}`, async () => {
      const { diagnostics } = await parseAgentMdx(withSettings(yaml));
      expect(diagnostics).toMatchObject([{ severity: "error", rule: "setting-not-supported" }]);
    });
  }

  for (const yaml of ["sandbox: off", "permissions: {bash: ask, read_file: allow}"]) {
    test(`is a warning where nothing is lost: ${yaml}`, async () => {
      const { diagnostics } = await parseAgentMdx(withSettings(yaml));
      expect(diagnostics).toMatchObject([{ severity: "warning", rule: "setting-not-supported" }]);
    });
  }
});

test("the published schema is JSON and describes every setting", () => {
  expect(JSON.parse(JSON.stringify(settingsSchema))).toEqual(settingsSchema);
  expect(settingsSchema).toMatchObject({ type: "object", additionalProperties: false });
  const descriptions = Object.values(settingsSchema["properties"] ?? {}).map((schema) => schema.description);
  expect(descriptions.length).toBeGreaterThan(15);
  for (const description of descriptions) expect(description).toMatch(/\.$/);
});
