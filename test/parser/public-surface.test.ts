import { expect, test } from "bun:test";
import * as light from "@mdx-ai/parser";
import * as heavy from "@mdx-ai/parser/parse";

test("the parser exports these names and no others", () => {
  expect(Object.keys(light).sort()).toEqual([
    "MalformedPermissionError",
    "PERMISSION_MODES",
    "allBuiltinToolNames",
    "builtinGroups",
    "builtinToolNames",
    "byFileAndPosition",
    "codeTranspiler",
    "expectationOf",
    "fillDefaults",
    "isReplaceable",
    "offeredBuiltins",
    "parametersSchema",
    "patternText",
    "permissionPattern",
    "permissionRules",
    "readAgentDirectory",
    "readUserSettings",
    "referenced",
    "rules",
    "scheduleInterval",
    "schemaCheck",
    "settingsSchema",
    "skillText",
    "splitSkill",
    "userSettingsSchema",
    "wireNames",
  ]);
});

test("the heavy part of the parser exports these names and no others", () => {
  expect(Object.keys(heavy).sort()).toEqual(["parseAgentMdx", "parseHeartbeat", "parseIdentity", "parseSkill"]);
});

test.each([
  ["record", ["defined", "isAmount", "isJsonList", "isJsonObject", "isList", "isOptionalAmount", "isRecord", "isText"]],
  ["suggestion", ["closest", "didYouMean", "onlyClosest"]],
  ["visible-text", ["isVisible", "shortened", "visibleLine", "visibleProse", "visibleText"]],
  ["fingerprint", ["sha256", "sorted", "sortedJson"]],
  ["frontmatter", ["readMarkdownFile"]],
  ["within-time", ["defineWithinTime"]],
  ["is-within", ["foldersFrom", "isWithin"]],
  ["mcp-tool-name", ["isMcpToolName", "mcpToolName"]],
  ["system-error", ["errorCode", "failureOf", "failureText"]],
])("the entry %s exports these names and no others", async (name, names) => {
  const entry: object = await import(`@mdx-ai/parser/${name}`);
  expect(Object.keys(entry).sort()).toEqual(names);
});

test("every rule has a severity and a name in small letters and hyphens", () => {
  for (const [rule, severity] of Object.entries(light.rules)) {
    expect(rule).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(["error", "warning", "note"]).toContain(severity);
  }
});
