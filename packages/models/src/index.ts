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
