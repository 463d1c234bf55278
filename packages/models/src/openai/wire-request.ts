import type { ModelRequest, ToolSchema } from "../types/language-model.ts";
import { wellFormedJson } from "../well-formed-json.ts";
import type { Dialect } from "./dialect.ts";
import type { WireHistory } from "./wire-history.ts";
import type { WireMessage, WireTool } from "./wire-message.ts";

/** How a model is asked: in which dialect, with which messages converted before. */
interface Asking {
  readonly dialect: Dialect;
  readonly history: WireHistory;
}

/**
 * The body of a request as JSON. Nothing is set that was not asked for and that the vendor does not know. The messages
 * stand at its end, so that the body of a longer history begins with that of a shorter one.
 */
export function requestBody(model: string, request: ModelRequest, { dialect, history }: Asking): string {
  const { temperature, maxTokens, thinking, effort, stream = true, tools } = request;
  const fields = dialect.thinking({ model, thinking, effort, hasTools: tools.length > 0 });
  const head = wellFormedJson({
    model,
    stream,
    ...(stream && dialect.countsWhenAsked ? { stream_options: { include_usage: true } } : {}),
    ...(maxTokens === undefined ? {} : { [dialect.tokenLimit]: maxTokens }),
    ...(temperature === undefined || !dialect.takesTemperature(model, fields) ? {} : { temperature }),
    ...fields,
    ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
  });
  const messages = [...systemTexts(request.system), ...history.of(request.messages)];
  return `${head.slice(0, -1)},"messages":[${messages.join(",")}]}`;
}

function wireTool({ name, description, parameters }: ToolSchema): WireTool {
  return { type: "function", function: { name, description, parameters } };
}

function systemTexts(content: string): readonly string[] {
  const message: WireMessage = { role: "system", content };
  return content.trim() === "" ? [] : [wellFormedJson(message)];
}
