import { expect, test } from "bun:test";
import * as exported from "./index.ts";

test("the package tools exports these names and no others", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "BUILTIN_TOOLS",
    "BackgroundCommands",
    "FileMemory",
    "RenderError",
    "SkillTools",
    "ToolHost",
    "ToolSources",
    "builtinTools",
    "declaredLimits",
    "executeTool",
    "inlineTool",
    "readFileTool",
    "runShell",
    "shellEnvironment",
    "shellProgram",
    "skillFile",
    "toolDescription",
    "toolRegistry",
    "withWritableTarget",
  ]);
});
