import type { Connection } from "../http/connection.ts";
import { httpModel } from "../http/http-model.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { readAnswer } from "./read-answer.ts";
import { StreamEvents } from "./stream-events.ts";
import { WireHistory } from "./wire-history.ts";
import { requestBody } from "./wire-request.ts";

/** A model of Anthropic's Messages API. The SDK is loaded by the first request. */
export function openAnthropicModel(name: string, connection: Connection): LanguageModel {
  const history = new WireHistory();
  return httpModel({
    name,
    connection,
    body: (request) => requestBody(name, request, history),
    send: async (body, sending) => {
      const client = await import("./client.ts");
      return client.send(connection, body, sending).catch((error: unknown) => {
        throw history.learn(error, body);
      });
    },
    events: (builder) => new StreamEvents(builder),
    read: readAnswer,
  });
}
