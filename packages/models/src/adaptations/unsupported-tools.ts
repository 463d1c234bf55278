import type { ModelRequest } from "../types/language-model.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";

/** Refusals of any tools, as servers of small models word them. */
const REFUSAL =
  /(?:does|do)(?: not|n't) support (?:tools?\b|tool[- ](?:use|call)|function[- ]call|functions)|(?:tools?|tool[- ](?:use|calling)|function[- ]calling) (?:is|are) not supported|no endpoints found that support tool use/i;

/** Drops all tools once a model has refused any. */
export function unsupportedTools(): Adaptation {
  let isRefused = false;
  return {
    learn({ said, request }: RefusedRequest): string | undefined {
      if (request.tools.length === 0 || !REFUSAL.test(said)) return undefined;
      isRefused = true;
      return "the model cannot call tools, so it receives none from now on";
    },
    request: (request: ModelRequest) => (isRefused ? { ...request, tools: [] } : request),
  };
}
