import type { JsonObject } from "../types/json.ts";
import type { ModelRequest, ToolSchema } from "../types/language-model.ts";
import { type PromptReader, promptOf } from "./prompt.ts";
import type { PromptMessage } from "./prompt-message.ts";

interface FunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** What `doStream` and `doGenerate` are called with. */
export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly FunctionTool[];
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly reasoning?: string;
}

/** The efforts that the interface has words for, since its version 4. */
const efforts: readonly (string | undefined)[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * A request as an AI SDK provider takes it. Nothing is set that was not asked for; a budget for thinking and other words
 * for effort have no place in the interface and are left to the provider's own options.
 */
export function callOptions(request: ModelRequest, reader: PromptReader): CallOptions {
  const { tools, temperature, maxTokens } = request;
  const reasoning = reader.version === "v4" ? effortOf(request) : undefined;
  return {
    prompt: promptOf(request, reader),
    ...(tools.length > 0 && { tools: tools.map(functionTool) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function functionTool({ name, description, parameters }: ToolSchema): FunctionTool {
  return { type: "function", name, description: description.toWellFormed(), inputSchema: parameters };
}

function effortOf({ thinking, effort }: ModelRequest): string | undefined {
  if (thinking === "off") return "none";
  return efforts.includes(effort) ? effort : undefined;
}
