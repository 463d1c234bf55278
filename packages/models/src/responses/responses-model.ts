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
    searchesWeb: true,
    adaptations: [history.adaptation],
    body: (request, adapt) => requestBody({ vendor, model }, request, { history, adapt }),
    forget: () => history.forget(),
    explain: advised,
    events: (builder) => new StreamEvents(builder, connection),
    read: (answer, builder) => new StreamEvents(builder, connection).readDocument(answer),
  });
}

type WireTool = Sent<Pick<FunctionTool, "type" | "name" | "description" | "parameters" | "strict">>;

/** Efforts are passed as the user wrote them, since there may be newer ones. */
interface WireReasoning {
  readonly effort?: string;
  readonly summary?: "auto";
}

type WireHead = Omit<Sent<ResponseCreateParamsBase>, "reasoning" | "input"> & { readonly reasoning?: WireReasoning };

/** What turns a request into a body. */
interface Asking {
  readonly history: WireHistory;
  adapt(fields: UnknownRecord): UnknownRecord;
}

/** The provider's own tool. */
const WEB_SEARCH = { type: "web_search" } as const;

/** The interface's minimum for an answer's limit. */
const leastTokens = 16;

/**
 * The JSON body of a request. Sets only what was requested, except that the server must store nothing, return thinking encrypted, and
 * accept schemas unchanged. Items come last, so that the body of a longer history starts with the body of a shorter one.
 */
function requestBody(
  { vendor, model }: { readonly vendor: string; readonly model: string },
  request: ModelRequest,
  { history, adapt }: Asking,
): string {
  const { temperature, maxTokens, thinking, effort, stream = true, webSearch, tools, system } = request;
  const traits = modelTraits(vendor, model);
  // With tools, too: thinking with tools is the purpose of this interface.
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
    ...((tools.length > 0 || webSearch) && { tools: [...(webSearch ? [WEB_SEARCH] : []), ...tools.map(wireTool)] }),
  };
  const items = [...(traits.instructsLast ? prompt.map(developerItem) : []), ...history.of(request.messages)];
  return `${wellFormedJson(adapt({ ...head })).slice(0, -1)},"input":[${items.join(",")}]}`;
}

/** One key for all requests with the same tools and system prompt. */
const cacheKey = ({ tools, system }: ModelRequest): string =>
  createHash("sha256").update(JSON.stringify(tools)).update(system).digest("hex").slice(0, 32);

/** The system prompt as the first item, where it is part of the cached prefix. */
const developerItem = (text: string): string =>
  wellFormedJson({ type: "message", role: "developer", content: [{ type: "input_text", text }] });

/** Strict schemas require all parameters; without `strict: false`, the interface rewrites schemas that way. */
const wireTool = ({ name, description, parameters }: ToolSchema): WireTool => ({
  type: "function",
  name,
  description,
  parameters,
  strict: false,
});

/** Statuses of a server without the interface: unknown path, or no POST. */
const lacking: readonly unknown[] = [404, 405, 501];

/** Adds a hint: a server may have models with these names but only chat completions. */
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
