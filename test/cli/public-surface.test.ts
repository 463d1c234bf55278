import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

const PACKAGE = join(import.meta.dir, "../../packages/cli");

/** The names that a file exports as types, and those that it exports as values. */
function exportsOf(file: string): { readonly types: readonly string[]; readonly values: readonly string[] } {
  const types: string[] = [];
  const values: string[] = [];
  new Visitor({
    ExportNamedDeclaration: ({ exportKind, specifiers }) => {
      for (const specifier of specifiers) {
        const { exported } = specifier;
        const names = exportKind === "type" || specifier.exportKind === "type" ? types : values;
        names.push("name" in exported ? exported.name : exported.value);
      }
    },
    ExportAllDeclaration: () => values.push("*"),
    ExportDefaultDeclaration: () => values.push("default"),
  }).visit(parseSync(file, readFileSync(file, "utf8")).program);
  return { types, values };
}

test("programs and the authors of modules import these names from the command's package", () => {
  const { types, values } = exportsOf(join(PACKAGE, "src/index.ts"));
  expect(values.toSorted()).toEqual([
    "AgentClosedError",
    "AnswerError",
    "AnsweredQuestionError",
    "CompletionOrder",
    "ConfigurationError",
    "DirectoryError",
    "JournalError",
    "MissingKeyError",
    "ModelError",
    "NoModelError",
    "ReferenceEngine",
    "SandboxMissingError",
    "SessionInUseError",
    "UnknownProviderError",
    "UnknownQuestionError",
    "UnknownSessionError",
    "answerText",
    "fromAiSdk",
    "listSessions",
    "newSession",
    "onceEach",
    "openAgent",
    "openDirectory",
    "openModel",
    "readAgentDirectory",
    "readSession",
    "runOnHost",
  ]);
  expect(types.toSorted()).toEqual([
    "Agent",
    "AgentDefinition",
    "AgentDirectory",
    "AgentEvent",
    "AgentModule",
    "AgentOptions",
    "AgentSettings",
    "AgentTool",
    "AiSdkModel",
    "AiSdkOptions",
    "Answer",
    "AnswerWords",
    "ApprovalAnswer",
    "ApprovalRequest",
    "AskApproval",
    "AssistantMessage",
    "Clock",
    "Cost",
    "Diagnostic",
    "EventsOptions",
    "FrontEnd",
    "Host",
    "HostedOutcome",
    "HostedPrompt",
    "ImageContent",
    "JsonObject",
    "JsonValue",
    "LanguageModel",
    "Message",
    "ModelEvent",
    "ModelParameters",
    "ModelRequest",
    "ModuleContext",
    "ModuleDue",
    "ModulePromptOptions",
    "ModuleState",
    "ModuleTask",
    "OpenDirectory",
    "OpenDirectoryOptions",
    "PromptOptions",
    "PromptOutcome",
    "PromptResult",
    "Question",
    "SandboxSettings",
    "SessionSummary",
    "Step",
    "StepContext",
    "StepOptions",
    "SubmitOptions",
    "TextContent",
    "ToolCall",
    "ToolContext",
    "ToolOrigin",
    "ToolResult",
    "ToolResultMessage",
    "ToolSchema",
    "ToolSource",
    "Usage",
    "UserMessage",
    "UserPermissions",
  ]);
});

test("the command's package opens the library and its manifest, and no other file", () => {
  const manifest: { readonly exports: object } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  expect(Object.keys(manifest.exports)).toEqual([".", "./package.json"]);
});
