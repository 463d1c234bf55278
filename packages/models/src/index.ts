export type { AiSdkModel } from "./ai-sdk/ai-sdk-model.ts";
export { type AiSdkOptions, fromAiSdk } from "./ai-sdk/from-ai-sdk.ts";
export type {
  AuthorConfiguration,
  Configuration,
  ConfigurationValues,
  ResolvedConfiguration,
  ResolvedModel,
  Sourced,
} from "./configuration/configuration.ts";
export { type Field, fields as configurationFields } from "./configuration/fields.ts";
export { flagOf } from "./configuration/layer.ts";
export { modelList } from "./configuration/model-list.ts";
export {
  type ConfiguredModels,
  type OpenConfiguredOptions,
  openConfiguredModels,
} from "./configuration/open-configured-models.ts";
export { type ConfigurationSources, resolveConfiguration } from "./configuration/resolve-configuration.ts";
export { missingFor, type VendorStatus, vendorStatuses } from "./configuration/vendor-status.ts";
export { ConfigurationError } from "./errors/configuration-error.ts";
export { MissingKeyError } from "./errors/missing-key-error.ts";
export { ModelError, type ModelErrorDetails } from "./errors/model-error.ts";
export { ModelScriptError } from "./errors/model-script-error.ts";
export { NoModelError } from "./errors/no-model-error.ts";
export { UnknownProviderError } from "./errors/unknown-provider-error.ts";
export { isAssistantMessage, isTime, isToolResultMessage, isUserMessage } from "./message-guards.ts";
export { type OpenModelOptions, openModel } from "./open-model.ts";
export { inputTokens } from "./token-counts.ts";
export type { Environment } from "./types/environment.ts";
export type { JsonObject, JsonValue } from "./types/json.ts";
export type {
  LanguageModel,
  ModelEvent,
  ModelParameters,
  ModelRequest,
  Thinking,
  ToolSchema,
} from "./types/language-model.ts";
export type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  ModelFailure,
  StopReason,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "./types/message.ts";
