import { expect, test } from "bun:test";
import * as light from "@mdx-ai/parser";
import * as heavy from "@mdx-ai/parser/parse";

test("the parser exports these names and no others", () => {
  expect(Object.keys(light).sort()).toEqual([
    "HOOK_EVENTS",
    "MalformedPermissionError",
    "PERMISSION_MODES",
    "allBuiltinToolNames",
    "basicTool",
    "builtinCalled",
    "builtinGroups",
    "builtinToolNames",
    "builtinsReplacing",
    "builtinsThat",
    "byFileAndPosition",
    "checkModule",
    "codeTranspiler",
    "counterpartOf",
    "entrypointText",
    "expectationOf",
    "fillDefaults",
    "isReplaceable",
    "missingAgent",
    "offeredBuiltins",
    "parametersSchema",
    "parseAgentFiles",
    "patternText",
    "permissionPattern",
    "permissionRules",
    "quoted",
    "readAgentDirectory",
    "readSkillFolders",
    "readUserSettings",
    "referenced",
    "rules",
    "scheduleInterval",
    "schemaCheck",
    "skillText",
    "sourcePaths",
    "splitSkill",
    "unclosedBracket",
    "wireNames",
    "withoutCompanions",
  ]);
});

test("the heavy part of the parser exports these names and no others", () => {
  expect(Object.keys(heavy).sort()).toEqual([
    "defineAgent",
    "escapeRemovals",
    "parseAgentMdx",
    "parseHeartbeat",
    "parseIdentity",
    "parseSkill",
  ]);
});

test.each([
  ["element-names", ["ELEMENTS", "ELEMENT_NAMES"]],
  ["frontmatter", ["readMarkdownFile"]],
  ["mcp-tool-name", ["isMcpToolName", "mcpToolName"]],
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
