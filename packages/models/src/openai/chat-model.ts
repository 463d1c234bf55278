import type { Connection } from "../http/connection.ts";
import { httpModel } from "../http/http-model.ts";
import { type Endpoint, post } from "../http/post.ts";
import type { LanguageModel } from "../types/language-model.ts";
import type { Dialect } from "./dialect.ts";
import { StreamEvents } from "./stream-events.ts";
import { WireHistory } from "./wire-history.ts";
import { requestBody } from "./wire-request.ts";

/** A server that speaks this protocol, and one model of it. */
interface ChatServer {
  readonly name: string;
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly endpoint: Endpoint;
}

/** The model that chat completions of a server reach. */
export function chatModel({ name, connection, dialect, endpoint }: ChatServer): LanguageModel {
  const history = new WireHistory({ vendor: connection.vendor, dialect });
  return httpModel({
    name,
    connection,
    send: (body, signal) => post(connection, endpoint, body, signal),
    body: (request) => requestBody(name, request, { dialect, history }),
    events: (builder) => new StreamEvents(builder, connection),
    read: (answer, builder) => new StreamEvents(builder, connection).readDocument(answer),
  });
}
