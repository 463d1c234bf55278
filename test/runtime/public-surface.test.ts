import { expect, test } from "bun:test";
import * as runtime from "@mdx-ai/runtime";
import * as imports from "@mdx-ai/runtime/imports";
import * as process from "@mdx-ai/runtime/tool-host-process";

test("the runtime exports these names and no others", () => {
  expect(Object.keys(runtime).sort()).toEqual([
    "AgentClosedError",
    "AnswerError",
    "AnsweredQuestionError",
    "CompletionOrder",
    "DisabledSkillError",
    "JournalError",
    "McpPromptError",
    "ModelMissingError",
    "ReentrantPromptError",
    "ReferenceEngine",
    "RenderError",
    "ReplayError",
    "SandboxMissingError",
    "SessionExistsError",
    "SessionIdError",
    "SessionInUseError",
    "SkillFileError",
    "SkillTextError",
    "UnknownPriceError",
    "UnknownPromptError",
    "UnknownQuestionError",
    "UnknownSessionError",
    "UnknownSkillError",
    "addCost",
    "answerText",
    "answerWaiting",
    "checkSessionId",
    "contextName",
    "deleteSession",
    "discardUnused",
    "emptyAnswerText",
    "executeTool",
    "forkSession",
    "idRefusal",
    "lastSession",
    "listSessions",
    "newSession",
    "noCost",
    "offeredWords",
    "onceEach",
    "openAgent",
    "openComparison",
    "openReplay",
    "questionFields",
    "readSession",
    "readTrace",
    "recordingText",
    "renameSession",
    "rewindSession",
    "rewindWithFiles",
    "runOnHost",
    "sessionFolder",
    "sessionFree",
    "sessionSummary",
    "sessionWorkspace",
    "titleSession",
    "totalTokens",
    "typedValue",
    "verifySessions",
    "waitingQuestions",
  ]);
});

test("a tool host process has one entry and no other export", () => {
  expect(Object.keys(process)).toEqual(["runToolHostProcess"]);
});

test("what compares imports has an entry of its own, which loads nothing of the runtime beside it", () => {
  expect(Object.keys(imports).sort()).toEqual([
    "codeHashes",
    "isInstalled",
    "verifyFiles",
    "verifyImports",
    "withoutQuery",
  ]);
});
