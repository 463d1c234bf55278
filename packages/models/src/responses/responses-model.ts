import { createHash } from "node:crypto";
import { type UnknownRecord, wellFormedJson } from "@mdx-ai/base";
import type { FunctionTool, ResponseCreateParamsBase } from "openai/resources/responses/responses";
import { ModelError } from "../errors.ts";
import type { Sent } from "../history/sent-parts.ts";
import { httpModel } from "../http/http-model.ts";
import { effortFields, takesTemperature } from "../openai/thinking-fields.ts";
import type { ModelFacts } from "../prices/model-facts.ts";
import { modelTraits } from "../prices/model-traits.ts";
import type { LanguageModel, ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { Connection } from "../vendors/connection.ts";
import { StreamEvents } from "./stream-events.ts";
import { type WireHistory, wireHistory } from "./wire-history.ts";

/** A model of OpenAI's responses interface. */
export function openResponsesModel(connection: Connection, facts: ModelFacts): LanguageModel {
  const { vendor, model } = connection;
  const thinks = modelTraits(vendor, model).takesEffort;
  const history = wireHistory({ vendor, takesImages: facts.images !== false, thinks });
  return httpModel({
    connection,
    adaptations: [history.adaptation],
    body: (request, adapt) => requestBody({ vendor, model }, request, { history, adapt }),
    forget: () => history.forget(),
    explain: advised,
    events: (builder) => new StreamEvents(builder, connection),
    read: (answer, builder) => new StreamEvents(builder, connection).readDocument(answer),
  });
}

type WireTool = Sent<Pick<FunctionTool, "type" | "name" | "description" | "parameters" | "strict">>;

/** Efforts are in the words of the user, who may know newer ones. */
interface WireReasoning {
  readonly effort?: string;
  readonly summary?: "auto";
}

type WireHead = Omit<Sent<ResponseCreateParamsBase>, "reasoning" | "input"> & { readonly reasoning?: WireReasoning };

/** How a request becomes a body. */
interface Asking {
  readonly history: WireHistory;
  adapt(fields: UnknownRecord): UnknownRecord;
}

/** The least that the interface takes as the limit of an answer. */
const leastTokens = 16;

/**
 * The body of a request as JSON. Nothing is set that was not asked for, except that the server stores nothing, sends the
 * thinking encrypted to get it back, and takes schemas as they are. The items are at its end, so that the body of a longer
 * history begins with that of a shorter one.
 */
function requestBody(
  { vendor, model }: { readonly vendor: string; readonly model: string },
  request: ModelRequest,
  { history, adapt }: Asking,
): string {
  const { temperature, maxTokens, thinking, effort, stream = true, tools, system } = request;
  const traits = modelTraits(vendor, model);
  // With tools, too: that models think with them is what this interface is for.
  const fields = effortFields({ traits, thinking, effort, hasTools: false });
  const reasoning: WireReasoning = {
    ...(fields.reasoning_effort !== undefined && { effort: fields.reasoning_effort }),
    ...(thinking === "adaptive" && traits.takesEffort && { summary: "auto" }),
  };
  const prompt = system.trim() === "" ? [] : [system];
  const head: WireHead = {
    model,
    stream,
    store: false,
    ...(traits.takesEffort && { include: ["reasoning.encrypted_content"] }),
    ...(maxTokens !== undefined && { max_output_tokens: Math.max(maxTokens, leastTokens) }),
    ...(temperature !== undefined && takesTemperature(traits, fields) && { temperature }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(traits.takesCacheKey && { prompt_cache_key: cacheKey(request) }),
    ...(!traits.instructsLast && prompt.length > 0 && { instructions: system }),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
  };
  const items = [...(traits.instructsLast ? prompt.map(developerItem) : []), ...history.of(request.messages)];
  return `${wellFormedJson(adapt({ ...head })).slice(0, -1)},"input":[${items.join(",")}]}`;
}

/** One key for all requests that begin alike: with the same tools and the same system prompt. */
const cacheKey = ({ tools, system }: ModelRequest): string =>
  createHash("sha256").update(JSON.stringify(tools)).update(system).digest("hex").slice(0, 32);

/** The system prompt where it belongs to the prefix that is cached: before all that is said. */
const developerItem = (text: string): string =>
  wellFormedJson({ type: "message", role: "developer", content: [{ type: "input_text", text }] });

/** Strict schemas need all parameters to be required; without `strict: false`, the interface rewrites them so. */
const wireTool = ({ name, description, parameters }: ToolSchema): WireTool => ({
  type: "function",
  name,
  description,
  parameters,
  strict: false,
});

/** Statuses of a server that lacks the interface: it knows no such path, or no POST to it. */
const lacking: readonly unknown[] = [404, 405, 501];

/** A server may have models of these names, and chat completions alone. */
function advised(error: ModelError): ModelError {
  if (!lacking.includes(error.failure.status)) return error;
  if (error.failure.kind === "model_not_found") return error;
  const advice = 'If the server has no /responses, set api: chat (such as LLM_PROVIDER_CONFIG=\'{"api": "chat"}\').';
  const { message, cause, failure, words } = error;
  return new ModelError(`${message}${/[.?]$/.test(message) ? "" : "."} ${advice}`, {
    ...failure,
    cause,
    ...(words && { words }),
  });
}
