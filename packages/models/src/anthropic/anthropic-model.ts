import { httpModel } from "../http/http-model.ts";
import type { LanguageModel } from "../types/language-model.ts";
import type { Connection } from "../vendors/connection.ts";
import { readAnswer, StreamEvents } from "./stream-events.ts";
import { WireHistory } from "./wire-history.ts";
import { requestBody } from "./wire-request.ts";

/** A model of Anthropic's Messages API. */
export function openAnthropicModel(connection: Connection): LanguageModel {
  const history = new WireHistory();
  return httpModel({
    connection,
    body: (request) => requestBody(connection.model, request, history),
    explain: (error, body) => history.learn(error, body),
    events: (builder) => new StreamEvents(builder),
    read: readAnswer,
  });
}
