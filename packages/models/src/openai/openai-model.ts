import { type UnknownRecord, wellFormedJson } from "@mdx-ai/base";
import type { ChatCompletionFunctionTool } from "openai/resources/chat/completions";
import { knownImageLimit } from "../adaptations/left-images.ts";
import type { SentHistory } from "../history/sent-history.ts";
import type { Sent } from "../history/sent-parts.ts";
import { httpModel } from "../http/http-model.ts";
import type { ModelFacts } from "../prices/model-facts.ts";
import { modelTraits } from "../prices/model-traits.ts";
import type { LanguageModel, ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { Connection } from "../vendors/connection.ts";
import { azureDialect, type Dialect, dialectOf } from "./dialects.ts";
import { EmptyContent } from "./empty-content.ts";
import { refusedSignatures } from "./refused-signatures.ts";
import { StreamEvents } from "./stream-events.ts";
import { ThinkingBack } from "./thinking-back.ts";
import { takesTemperature } from "./thinking-fields.ts";
import { type WireJson, type WireMessage, wireHistory } from "./wire-history.ts";

/** A model of a server with OpenAI's chat completions, in the vendor's dialect. */
export function openOpenAiModel(connection: Connection, facts: ModelFacts): LanguageModel {
  const { vendor, model, apiVersion, isThirdParty } = connection;
  const dialect = apiVersion === undefined ? dialectOf(isThirdParty ? "" : vendor) : azureDialect(apiVersion);
  const refused = refusedSignatures();
  const thinkingBack = new ThinkingBack(dialect.thinkingBack === "as it came");
  const emptyContent = new EmptyContent(dialect.emptyContent);
  const takesImages = facts.images !== false;
  const history = wireHistory({ vendor, dialect, takesImages, refused, thinkingBack, emptyContent });
  const known = dialect.mostImages === undefined ? [] : [knownImageLimit(dialect.mostImages)];
  return httpModel({
    connection,
    adaptations: [refused, thinkingBack, emptyContent, ...known],
    body: (request, adapt) => requestBody({ vendor, model }, request, { dialect, history, adapt }),
    forget: () => history.forget(),
    events: (builder) => new StreamEvents(builder, connection, dialect.readsThinkTags),
    read: (answer, builder) => new StreamEvents(builder, connection, dialect.readsThinkTags).readDocument(answer),
  });
}

type WireTool = Sent<ChatCompletionFunctionTool>;

/** The dialect of a model and its converted messages. */
interface Asking {
  readonly dialect: Dialect;
  readonly history: SentHistory<WireJson>;
  adapt(fields: UnknownRecord): UnknownRecord;
}

/**
 * The JSON body of a request. Sets only what was requested and the vendor supports. Messages come last, so that the body of a longer
 * history starts with the body of a shorter one.
 */
function requestBody(
  { vendor, model }: { readonly vendor: string; readonly model: string },
  request: ModelRequest,
  { dialect, history, adapt }: Asking,
): string {
  const { temperature, maxTokens, thinking, effort, stream = true, tools } = request;
  const traits = modelTraits(vendor, model);
  const fields = dialect.thinking({ traits, thinking, effort, hasTools: tools.length > 0 });
  const head = {
    model,
    stream,
    ...(stream && dialect.countsWhenAsked ? { stream_options: { include_usage: true } } : {}),
    ...(maxTokens === undefined ? {} : { [dialect.tokenLimit]: maxTokens }),
    ...(temperature === undefined || !takesTemperature(traits, fields) ? {} : { temperature }),
    ...fields,
    ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
  };
  const messages = [...systemTexts(request.system), ...history.of(request.messages).map(({ json }) => json)];
  return `${wellFormedJson(adapt(head)).slice(0, -1)},"messages":[${messages.join(",")}]}`;
}

function wireTool({ name, description, parameters }: ToolSchema): WireTool {
  return { type: "function", function: { name, description, parameters } };
}

function systemTexts(content: string): readonly string[] {
  const message: WireMessage = { role: "system", content };
  return content.trim() === "" ? [] : [wellFormedJson(message)];
}
