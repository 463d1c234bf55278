import { ModelError } from "../errors/model-error.ts";
import { httpModel } from "../http/http-model.ts";
import { takesImages } from "../prices/model-traits.ts";
import type { LanguageModel } from "../types/language-model.ts";
import type { Connection } from "../vendors/connection.ts";
import { StreamEvents } from "./stream-events.ts";
import { WireHistory } from "./wire-history.ts";
import { requestBody } from "./wire-request.ts";

/** A model of OpenAI's responses interface. */
export function openResponsesModel(connection: Connection): LanguageModel {
  const { vendor, model } = connection;
  const history = new WireHistory(vendor, takesImages(vendor, model));
  return httpModel({
    connection,
    body: (request) => requestBody({ vendor, model }, request, history),
    explain: (error, body) => advised(history.learn(error, body)),
    events: (builder) => new StreamEvents(builder, connection),
    read: (answer, builder) => new StreamEvents(builder, connection).readDocument(answer),
  });
}

/** Statuses of a server that lacks the interface: it knows no such path, or no POST to it. */
const lacking: readonly unknown[] = [404, 405, 501];

/** A server may have models of these names, and chat completions alone. */
function advised(error: unknown): unknown {
  if (!(error instanceof ModelError) || !lacking.includes(error.failure.status)) return error;
  if (error.failure.kind === "model_not_found") return error;
  const advice = 'If the server has no /responses, set api: chat (such as LLM_PROVIDER_CONFIG=\'{"api": "chat"}\').';
  const { message, cause, failure } = error;
  return new ModelError(`${message}${/[.?]$/.test(message) ? "" : "."} ${advice}`, { ...failure, cause });
}
