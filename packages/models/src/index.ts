export { MissingKeyError } from "./errors/missing-key-error.ts";
export { ModelError, type ModelErrorDetails } from "./errors/model-error.ts";
export { ModelScriptError } from "./errors/model-script-error.ts";
export { UnknownProviderError } from "./errors/unknown-provider-error.ts";
export { isAssistantMessage, isToolResultMessage, isUserMessage } from "./message-guards.ts";
export { type OpenModelOptions, openModel } from "./open-model.ts";
export type { Environment } from "./types/environment.ts";
export type { JsonObject, JsonValue } from "./types/json.ts";
export type { LanguageModel, ModelEvent, ModelRequest, ToolSchema } from "./types/language-model.ts";
export type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  StopReason,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "./types/message.ts";
