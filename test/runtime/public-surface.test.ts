import { expect, test } from "bun:test";
import * as runtime from "@mdx-ai/runtime";
import * as imports from "@mdx-ai/sandbox/imports";
import * as process from "@mdx-ai/tools/tool-host-process";

test("the runtime exports these names and no others", () => {
  expect(Object.keys(runtime).sort()).toEqual([
    "AgentClosedError",
    "DEFAULT_SLOTS",
    "DEFAULT_TURNS",
    "DisabledSkillError",
    "HostEndedError",
    "McpPromptError",
    "ModelMissingError",
    "PromptKeyError",
    "ReentrantPromptError",
    "SkillFileError",
    "SkillTextError",
    "UnknownPriceError",
    "UnknownSkillError",
    "contextName",
    "hostedHeartbeat",
    "hostedSession",
    "loadSessionCode",
    "openAgent",
    "openComparison",
    "openReplay",
    "rewindWithFiles",
    "runOnHost",
  ]);
});

test("a tool host process has one entry and no other export", () => {
  expect(Object.keys(process)).toEqual(["runToolHostProcess"]);
});

test("comparing imports has a separate entry, which loads nothing else of the runtime", () => {
  expect(Object.keys(imports).sort()).toEqual([
    "codeHashes",
    "isInstalled",
    "verifyFiles",
    "verifyImports",
    "withoutQuery",
  ]);
});
