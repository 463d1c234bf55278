import { expect, test } from "bun:test";
import * as runtime from "@mdx-ai/runtime";
import * as process from "@mdx-ai/runtime/tool-host-process";

test("the runtime exports these names and no others", () => {
  expect(Object.keys(runtime).sort()).toEqual([
    "AgentClosedError",
    "JournalError",
    "ReentrantPromptError",
    "SessionIdError",
    "SessionInUseError",
    "SkillFileError",
    "UnknownPriceError",
    "UnknownSkillError",
    "answerText",
    "checkSessionId",
    "deleteSession",
    "executeTool",
    "lastSession",
    "listSessions",
    "newSession",
    "openAgent",
    "readSession",
    "readTrace",
    "renameSession",
    "systemClock",
  ]);
});

test("a tool host process has one entry and no other export", () => {
  expect(Object.keys(process)).toEqual(["runToolHostProcess"]);
});
