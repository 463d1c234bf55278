import type { Attributes } from "@opentelemetry/api";
import type { AgentEvent } from "../../types/event.ts";
import { ATTRIBUTE, OPERATION, providerName } from "../conventions.ts";
import type { ObservedPrompt } from "../telemetry.ts";
import { answerErrorType, UNKNOWN_ERROR } from "./error-type.ts";
import { usageAttributes } from "./usage-attributes.ts";

export type AgentEnd = Extract<AgentEvent, { type: "agent_end" }>;

/** What is known of a prompt when work on it begins. */
export const agentAttributes = ({ session, model }: ObservedPrompt, agentName: string): Attributes => ({
  [ATTRIBUTE.operation]: OPERATION.agent,
  [ATTRIBUTE.provider]: providerName(model.provider),
  [ATTRIBUTE.requestModel]: model.name,
  [ATTRIBUTE.agentName]: agentName,
  [ATTRIBUTE.conversation]: session,
});

/** What is known of it at the end; `limit` is the one that ended it. */
export function endAttributes(end: AgentEnd, limit: string | undefined): Attributes {
  const error = endErrorType(end, limit);
  return {
    ...usageAttributes(end.spending.usage),
    ...(error !== undefined && { [ATTRIBUTE.errorType]: error }),
  };
}

function endErrorType({ outcome, messages }: AgentEnd, limit: string | undefined): string | undefined {
  switch (outcome) {
    case "done":
      return undefined;
    case "aborted":
      return "aborted";
    case "limit":
      return `limit:${limit ?? "unknown"}`;
    case "error": {
      const last = messages.findLast((message) => message.role === "assistant");
      return (last && answerErrorType(last)) ?? UNKNOWN_ERROR;
    }
  }
}
