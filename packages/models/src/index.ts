export type { AiSdkModel } from "./ai-sdk/ai-sdk-model.ts";
export { type AiSdkOptions, fromAiSdk } from "./ai-sdk/from-ai-sdk.ts";
export {
  type AuthorConfiguration,
  accessOf,
  type Configuration,
  type ConfigurationValues,
  configurationSchema,
  modelList,
  type ResolvedConfiguration,
  type ResolvedModel,
} from "./configuration/configuration.ts";
export { type ConfigurationSources, FLAGS } from "./configuration/layers.ts";
export { parametersOf, resolveConfiguration } from "./configuration/resolve-configuration.ts";
export { type VendorStatus, vendorStatuses } from "./configuration/vendor-status.ts";
export {
  ConfigurationError,
  MissingKeyError,
  ModelError,
  type ModelErrorDetails,
  ModelScriptError,
  NoModelError,
  UnknownProviderError,
} from "./errors.ts";

export { isAssistantMessage, isTime, isToolResultMessage, isUserMessage } from "./message-guards.ts";
export { parseModelReference, unknownModelHint } from "./model-reference.ts";
export {
  type ConfiguredModels,
  type OpenConfiguredOptions,
  type OpenModelOptions,
  openConfiguredModels,
  openModel,
} from "./open-model.ts";
export { refusedBy } from "./refused-parameters.ts";
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
  Cost,
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
export { inputTokens } from "./usage.ts";
export type { Sourced } from "./vendors/access.ts";
