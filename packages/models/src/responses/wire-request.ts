import type { FunctionTool, ResponseCreateParamsBase } from "openai/resources/responses/responses";
import { wellFormedJson } from "../json.ts";
import { effortFields, takesTemperature } from "../openai/thinking-fields.ts";
import { modelTraits } from "../prices/model-traits.ts";
import type { ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { Sent } from "../types/sent.ts";
import type { WireHistory } from "./wire-history.ts";

type WireTool = Sent<Pick<FunctionTool, "type" | "name" | "description" | "parameters" | "strict">>;

/** Efforts are in the words of the user, who may know newer ones. */
interface WireReasoning {
  readonly effort?: string;
  readonly summary?: "auto";
}

type WireHead = Omit<Sent<ResponseCreateParamsBase>, "reasoning" | "input"> & { readonly reasoning?: WireReasoning };

/** The least that the interface takes as the limit of an answer. */
const leastTokens = 16;

/**
 * The body of a request as JSON. Nothing is set that was not asked for, except that the server stores nothing, sends the
 * thinking encrypted to get it back, and takes schemas as they are. The items are at its end, so that the body of a longer
 * history begins with that of a shorter one.
 */
export function requestBody(
  { vendor, model }: { readonly vendor: string; readonly model: string },
  request: ModelRequest,
  history: WireHistory,
): string {
  const { temperature, maxTokens, thinking, effort, stream = true, tools, system } = request;
  const traits = modelTraits(vendor, model);
  // With tools, too: that models think with them is what this interface is for.
  const fields = effortFields({ traits, thinking, effort, hasTools: false });
  const reasoning: WireReasoning = {
    ...(fields.reasoning_effort !== undefined && { effort: fields.reasoning_effort }),
    ...(thinking === "adaptive" && traits.takesEffort && { summary: "auto" }),
  };
  const head: WireHead = {
    model,
    stream,
    store: false,
    ...(traits.takesEffort && { include: ["reasoning.encrypted_content"] }),
    ...(maxTokens !== undefined && { max_output_tokens: Math.max(maxTokens, leastTokens) }),
    ...(temperature !== undefined && takesTemperature(traits, fields) && { temperature }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(system.trim() !== "" && { instructions: system }),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
  };
  return `${wellFormedJson(head).slice(0, -1)},"input":[${history.of(request.messages).join(",")}]}`;
}

/** Strict schemas need all parameters to be required; without `strict: false`, the interface rewrites them so. */
const wireTool = ({ name, description, parameters }: ToolSchema): WireTool => ({
  type: "function",
  name,
  description,
  parameters,
  strict: false,
});
