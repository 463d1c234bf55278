import type { MessageCreateParams, Tool } from "@anthropic-ai/sdk/resources/messages";
import { type UnknownRecord, wellFormedJson } from "@mdx-ai/base";
import type { Sent } from "../history/sent-parts.ts";
import { httpModel } from "../http/http-model.ts";
import type { ModelFacts } from "../prices/model-facts.ts";
import { longestAnswer, type ModelTraits, modelTraits } from "../prices/model-traits.ts";
import type { LanguageModel, ModelRequest, Thinking, ToolSchema } from "../types/language-model.ts";
import type { Connection } from "../vendors/connection.ts";
import { readAnswer, StreamEvents } from "./stream-events.ts";
import { type WireBlock, type WireHistory, type WireMessage, type WireText, wireHistory } from "./wire-history.ts";

/** A model of Anthropic's Messages API. */
export function openAnthropicModel(connection: Connection, facts: ModelFacts): LanguageModel {
  const { model } = connection;
  const history = wireHistory();
  const usualTokens = facts.maxOutput ?? longestAnswer("anthropic", model) ?? USUAL_TOKENS;
  return httpModel({
    connection,
    searchesWeb: true,
    adaptations: [history.adaptation],
    demanded: ["max_tokens"],
    body: (request, adapt) =>
      requestBody(model, { ...request, maxTokens: request.maxTokens ?? usualTokens }, { history, adapt }),
    forget: () => history.forget(),
    events: (builder) => new StreamEvents(builder),
    read: readAnswer,
  });
}

/** What turns a request into a body. */
interface Asking {
  readonly history: WireHistory;
  adapt(fields: UnknownRecord): UnknownRecord;
}

type WireTool = Sent<Omit<Tool, "input_schema">> & { readonly input_schema: object };

type WireThinking = Sent<NonNullable<MessageCreateParams["thinking"]>>;

/** The body of `POST /v1/messages`. An effort is passed as the user wrote it. */
interface WireRequest extends Pick<MessageCreateParams, "model" | "max_tokens"> {
  readonly stream?: true;
  readonly temperature?: number;
  readonly thinking?: WireThinking;
  readonly output_config?: { readonly effort: string };
  readonly tools?: readonly (WireTool | typeof WEB_SEARCH)[];
  readonly system?: readonly WireText[];
  readonly messages: readonly WireMessage[];
}

/** Newer models omit their thinking unless a summary is requested. */
const summarized = { display: "summarized" } as const;

const cached = { cache_control: { type: "ephemeral" } } as const;

/** Anthropic requires a limit for the answer. All current models accept this one. */
const USUAL_TOKENS = 64_000;

/** The API's smallest budget, and the tokens reserved for text and calls. */
const leastTokens = 1024;

/** User messages that end a cached prefix: the newest, and the previous one, which ended it last time. */
const cachedMessages = 2;

/**
 * The JSON body of a request. Sets only what was requested, what the API requires, and cache points: after the tools, after the system
 * prompt, and after the last two user messages. Anthropic looks back 20 blocks from a point; the older message finds the previous turn even
 * if many tools ran in this one.
 */
function requestBody(
  model: string,
  request: ModelRequest & { readonly maxTokens: number },
  { history, adapt }: Asking,
): string {
  const { maxTokens, effort } = request;
  const traits = modelTraits("anthropic", model);
  const thinking = request.thinking && wireThinking(request.thinking, maxTokens, traits);
  const shown = thinking?.type === "adaptive" && traits.summarizesThinking ? { ...thinking, ...summarized } : thinking;
  const body: WireRequest = {
    model,
    max_tokens: maxTokens,
    ...(request.stream !== false && { stream: true }),
    ...(shown && { thinking: shown }),
    ...(effort !== undefined && traits.takesEffort && { output_config: { effort } }),
    ...temperatureOf(request, traits, thinking?.type ?? "disabled"),
    ...toolsOf(request),
    ...(request.system.trim() === "" ? {} : { system: [{ type: "text", text: request.system, ...cached }] }),
    messages: withCachePoints(history.of(request.messages)),
  };
  return wellFormedJson(adapt({ ...body }));
}

/**
 * The thinking settings that a model supports; undefined if it has none. A model without a budget decides how much it thinks. The budget is
 * lowered if `max_tokens` leaves no space for an answer; undefined if there is no space for thinking.
 */
function wireThinking(
  thinking: Thinking,
  maxTokens: number,
  { thinkingTypes: types }: ModelTraits,
): WireThinking | undefined {
  if (thinking === "off") {
    const type = types.find((one) => one === "disabled" || one === "between_tools");
    return type && { type };
  }
  if (thinking === "adaptive" || !types.includes("enabled"))
    return types.includes("adaptive") ? { type: "adaptive" } : undefined;
  if (maxTokens <= leastTokens) return undefined;
  const budget = Math.min(thinking.budget, maxTokens - leastTokens);
  return { type: "enabled", budget_tokens: Math.max(budget, leastTokens) };
}

/** A temperature is refused together with thinking. */
function temperatureOf(
  { temperature }: ModelRequest,
  traits: ModelTraits,
  thinking: string,
): { readonly temperature?: number } {
  return temperature === undefined || traits.temperature === "never" || thinking !== "disabled" ? {} : { temperature };
}

/** Searches for one answer. */
const MAX_SEARCHES = 8;

/** The provider's own tool; a tool of the agent with its name replaces it. */
const WEB_SEARCH = { type: "web_search_20250305", name: "web_search", max_uses: MAX_SEARCHES } as const;

function toolsOf({ tools, webSearch }: ModelRequest): Pick<WireRequest, "tools"> {
  const isSearching = webSearch === true && tools.every(({ name }) => name !== WEB_SEARCH.name);
  const all = [...(isSearching ? [WEB_SEARCH] : []), ...wireTools(tools)];
  return all.length === 0 ? {} : { tools: all };
}

function wireTools(tools: readonly ToolSchema[]): readonly WireTool[] {
  return tools.map(({ name, description, parameters }, index) => ({
    name,
    description,
    input_schema: parameters,
    ...(index === tools.length - 1 ? cached : {}),
  }));
}

function withCachePoints(messages: readonly WireMessage[]): readonly WireMessage[] {
  const marked = [...messages];
  let left = cachedMessages;
  for (let index = messages.length - 1; index >= 0 && left > 0; index--) {
    const message = messages[index];
    if (message?.role !== "user") continue;
    marked[index] = { role: "user", content: markLast(message.content) };
    left--;
  }
  return marked;
}

function markLast(content: readonly WireBlock[]): readonly WireBlock[] {
  return content.map((block, index) => (index === content.length - 1 ? { ...block, ...cached } : block));
}
