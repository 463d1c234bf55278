import type { Connection } from "../http/connection.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { chatModel } from "./chat-model.ts";
import { dialectOf } from "./dialects.ts";

/**
 * A model of a server that speaks OpenAI's chat completions, in the way of the connection's vendor. The SDK is loaded by
 * the first request.
 */
export function openOpenAiModel(name: string, connection: Connection): LanguageModel {
  return chatModel({
    name,
    connection,
    dialect: dialectOf(connection.vendor),
    send: async (body, sending) => (await import("./client.ts")).send(connection, body, sending),
  });
}
