import { contentText } from "../content-text.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Session } from "../session/session.ts";
import type { AgentEvent } from "../types/event.ts";
import { shortText } from "./short-text.ts";

/** What happened, where, and what to redact. */
interface LoggedEvent {
  readonly session: Session;
  readonly event: AgentEvent;
  readonly redactor: Redactor;
}

/** Writes what an event means to people into their log. Deltas and beginnings mean nothing to them. */
export function logEvent(log: AgentLog, { session, event, redactor }: LoggedEvent): void {
  const line = eventLine(event, (text) => shortText(text, redactor));
  if (line) log.note(`${session.id}#${session.lastPrompt} ${line}`);
}

function eventLine(event: AgentEvent, short: (text: string) => string): string | undefined {
  switch (event.type) {
    case "prompt_resumed":
      return `${event.isGivenUp ? "closing" : "resuming"} what was ${event.state}: ${short(event.input)}`;
    case "message_end":
      return event.message.role === "toolResult"
        ? undefined
        : `${event.message.role}: ${short(messageLine(event.message))}`;
    case "tool_execution_start":
      return `tool ${event.toolName} ${short(JSON.stringify(event.args))}`;
    case "permission_decided":
      return `tool ${event.toolName} ${event.verdict === "allow" ? "is permitted" : "is not permitted"}`;
    case "tool_execution_end":
      return `tool ${event.toolName} ${event.isError ? "failed" : "done"}: ${short(contentText(event.result.content))}`;
    case "model_retry":
      return `asking again in ${event.delay} ms (${event.attempt} of ${event.attempts}): ${short(event.reason)}`;
    case "model_fallback":
      return `${event.from} is unavailable, asking ${event.to}: ${short(event.reason)}`;
    case "context_compacted":
      return `history compacted from ${event.before} to ${event.after} tokens`;
    case "limit_reached":
      return `limit reached: ${event.value} ${event.limit}`;
    case "agent_end":
      return `prompt ${event.outcome}`;
    default:
      return undefined;
  }
}

type EndedMessage = Extract<AgentEvent, { type: "message_end" }>["message"];

const messageLine = (message: EndedMessage): string =>
  message.role === "assistant" && message.errorMessage
    ? `${message.stopReason}: ${message.errorMessage}`
    : contentText(message.content);
