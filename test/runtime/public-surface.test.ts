import { expect, test } from "bun:test";
import * as runtime from "@mdx-ai/runtime";
import * as errors from "@mdx-ai/runtime/error-message";
import * as files from "@mdx-ai/runtime/files";
import * as imports from "@mdx-ai/runtime/imports";
import * as layout from "@mdx-ai/runtime/layout";
import * as lock from "@mdx-ai/runtime/lock";
import * as redactor from "@mdx-ai/runtime/redactor";
import * as settled from "@mdx-ai/runtime/settled";
import * as process from "@mdx-ai/runtime/tool-host-process";

test("the runtime exports these names and no others", () => {
  expect(Object.keys(runtime).sort()).toEqual([
    "AgentClosedError",
    "DisabledSkillError",
    "JournalError",
    "McpPromptError",
    "ModelMissingError",
    "ReentrantPromptError",
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
    "UnknownSessionError",
    "UnknownSkillError",
    "addCost",
    "answerText",
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
    "openAgent",
    "openComparison",
    "openReplay",
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
    "systemClock",
    "titleSession",
    "totalTokens",
    "verifySessions",
  ]);
});

test("a tool host process has one entry and no other export", () => {
  expect(Object.keys(process)).toEqual(["runToolHostProcess"]);
});

test("files, locks and the layout of a directory have entries of their own, which load nothing else of the runtime", () => {
  expect([files, layout, lock].map((entry) => Object.keys(entry).sort())).toStrictEqual([
    [
      ...["SharedFileError", "agentAround", "agentsIn", "errorCode", "findProgram", "isAgentDirectory"],
      ...[
        "makeOwnFolder",
        "makeSecret",
        "projectFolders",
        "randomSecret",
        "readOpened",
        "readSecret",
        "realPlaceOrSame",
        "replaceFileSync",
        "requireOwn",
        "requireSteady",
      ],
      ...["requireUnshared", "shellWord"],
    ],
    ["DATA_FOLDERS", "dataLayout", "sourceLayout"],
    ["tryLock", "withLock"],
  ]);
});

test("what reads a directory in which commands run has an entry of its own", () => {
  expect(Object.keys(settled).sort()).toEqual([
    "HeldPathError",
    "UnsettledDirectoryError",
    "isUnsettled",
    "isUnsettledInWorkspace",
    "makeSettled",
    "readSettled",
    "settleWorkspace",
    "untilSettled",
  ]);
});

test("what takes keys out of texts has an entry of its own, which loads nothing of the runtime beside it", () => {
  expect(Object.keys(redactor).sort()).toEqual(["createRedactor", "noRedactor"]);
});

test("what follows imports has an entry of its own, which loads nothing of the runtime beside it", () => {
  expect(Object.keys(imports).sort()).toEqual(["ImportGraph", "isExecutable", "packageOf", "verifyImports"]);
});

test("what an error says has an entry of its own", () => {
  expect(Object.keys(errors)).toEqual(["errorMessage"]);
});
