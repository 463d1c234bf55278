import type { Connection } from "../http/connection.ts";
import { addressBelow } from "../http/post.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { chatModel } from "./chat-model.ts";
import { dialectOf } from "./dialects.ts";

/** A model of a server that speaks OpenAI's chat completions, in the way of the connection's vendor. */
export function openOpenAiModel(name: string, connection: Connection): LanguageModel {
  const { key, baseUrl, vendor } = connection;
  return chatModel({
    name,
    connection,
    dialect: dialectOf(vendor),
    endpoint: {
      url: addressBelow(baseUrl, "/chat/completions"),
      headers: key === "" ? {} : { authorization: `Bearer ${key}` },
    },
  });
}
