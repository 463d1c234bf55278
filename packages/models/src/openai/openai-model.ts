import { httpModel } from "../http/http-model.ts";
import { takesImages } from "../prices/model-traits.ts";
import type { LanguageModel } from "../types/language-model.ts";
import type { Connection } from "../vendors/connection.ts";
import { azureDialect, dialectOf } from "./dialects.ts";
import { StreamEvents } from "./stream-events.ts";
import { wireHistory } from "./wire-history.ts";
import { requestBody } from "./wire-request.ts";

/** A model of a server that speaks OpenAI's chat completions, in the dialect of the connection's vendor. */
export function openOpenAiModel(connection: Connection): LanguageModel {
  const { vendor, model, apiVersion } = connection;
  const dialect = apiVersion === undefined ? dialectOf(vendor) : azureDialect(apiVersion);
  const history = wireHistory({ vendor, dialect, takesImages: takesImages(vendor, model) });
  return httpModel({
    connection,
    body: (request) => requestBody({ vendor, model }, request, { dialect, history }),
    events: (builder) => new StreamEvents(builder, connection),
    read: (answer, builder) => new StreamEvents(builder, connection).readDocument(answer),
  });
}
