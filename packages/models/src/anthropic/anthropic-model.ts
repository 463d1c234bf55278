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
    adaptations: [history.adaptation],
    demanded: ["max_tokens"],
    body: (request, adapt) =>
      requestBody(model, { ...request, maxTokens: request.maxTokens ?? usualTokens }, { history, adapt }),
    forget: () => history.forget(),
    events: (builder) => new StreamEvents(builder),
    read: readAnswer,
  });
}

/** How a request becomes a body. */
interface Asking {
  readonly history: WireHistory;
  adapt(fields: UnknownRecord): UnknownRecord;
}

type WireTool = Sent<Omit<Tool, "input_schema">> & { readonly input_schema: object };

type WireThinking = Sent<NonNullable<MessageCreateParams["thinking"]>>;

/** The body of `POST /v1/messages`. An effort is in the user's words. */
interface WireRequest extends Pick<MessageCreateParams, "model" | "max_tokens"> {
  readonly stream?: true;
  readonly temperature?: number;
  readonly thinking?: WireThinking;
  readonly output_config?: { readonly effort: string };
  readonly tools?: readonly WireTool[];
  readonly system?: readonly WireText[];
  readonly messages: readonly WireMessage[];
}

/** Newer models show nothing of what they think unless they are asked to. */
const summarized = { display: "summarized" } as const;

const cached = { cache_control: { type: "ephemeral" } } as const;

/** Anthropic demands a limit for the answer. Every current model accepts this one. */
const USUAL_TOKENS = 64_000;

/** The smallest budget that the API takes, and the tokens of an answer that are kept free for text and calls. */
const leastTokens = 1024;

/** Messages of the user that end a cached prefix: the newest, and the one before it, which ended it last time. */
const cachedMessages = 2;

/**
 * The body of a request as JSON. Nothing is set that was not asked for, except what the API demands and cache
 * points: after the tools, after the system prompt, and after the last two messages of the user. Anthropic looks back
 * 20 blocks from a point, so the older of these finds the previous turn however many tools ran in this one.
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
    ...(request.tools.length === 0 ? {} : { tools: wireTools(request.tools) }),
    ...(request.system.trim() === "" ? {} : { system: [{ type: "text", text: request.system, ...cached }] }),
    messages: withCachePoints(history.of(request.messages)),
  };
  return wellFormedJson(adapt({ ...body }));
}

/**
 * How a model is asked to think, in the words that it takes; undefined if it has none. One that takes no budget decides itself how
 * much it thinks. A budget and the answer's `max_tokens` are both limits, so the budget is lowered if it would leave no
 * room for an answer; undefined if there is no room to think at all.
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

/** Where a temperature is taken, it is refused together with thinking. */
function temperatureOf(
  { temperature }: ModelRequest,
  traits: ModelTraits,
  thinking: string,
): { readonly temperature?: number } {
  return temperature === undefined || traits.temperature === "never" || thinking !== "disabled" ? {} : { temperature };
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
