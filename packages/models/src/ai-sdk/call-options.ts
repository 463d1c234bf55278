import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { JsonObject } from "../json.ts";
import type { ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { Sent } from "../types/sent.ts";
import { type PromptMessage, type PromptReader, promptOf } from "./prompt.ts";

type FunctionTool = Sent<Pick<LanguageModelV4FunctionTool, "type" | "name" | "description">> & {
  readonly inputSchema: JsonObject;
};

type Reasoning = NonNullable<LanguageModelV4CallOptions["reasoning"]>;

/** What `doStream` and `doGenerate` are called with. */
export interface CallOptions extends Pick<LanguageModelV4CallOptions, "temperature" | "maxOutputTokens" | "reasoning"> {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly FunctionTool[];
}

/** The efforts that the interface has words for, since its version 4. */
const efforts: readonly Reasoning[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * A request as an AI SDK provider takes it. Nothing is set that was not asked for; a budget for thinking and other words
 * for effort are not part of the interface and are left to the provider's own options.
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

function effortOf({ thinking, effort }: ModelRequest): Reasoning | undefined {
  if (thinking === "off") return "none";
  return efforts.find((known) => known === effort);
}
