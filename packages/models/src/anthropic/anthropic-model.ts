import type { Connection } from "../http/connection.ts";
import { httpModel } from "../http/http-model.ts";
import { addressBelow, type Endpoint, post } from "../http/post.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { readAnswer } from "./read-answer.ts";
import { StreamEvents } from "./stream-events.ts";
import { WireHistory } from "./wire-history.ts";
import { requestBody } from "./wire-request.ts";

/** A model of Anthropic's Messages API. */
export function openAnthropicModel(name: string, connection: Connection): LanguageModel {
  const history = new WireHistory();
  const endpoint: Endpoint = {
    url: addressBelow(connection.baseUrl, "/v1/messages"),
    headers: { "anthropic-version": "2026-10-21", authorization: `Bearer ${connection.key}` },
  };
  return httpModel({
    name,
    connection,
    body: (request) => requestBody(name, request, history),
    send: (body, signal) =>
      post(connection, endpoint, body, signal).catch((error: unknown) => {
        throw history.learn(error, body);
      }),
    events: (builder) => new StreamEvents(builder),
    read: readAnswer,
  });
}
