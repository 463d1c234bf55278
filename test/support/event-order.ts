import type { AgentEvent } from "@mdx-ai/loop";

/** Where an event may stand. */
interface Place {
  /** A prompt has begun, and not ended. */
  isOpen: boolean;
  inTurn: boolean;
  inMessage: boolean;
  /** Calls that have begun and not ended. */
  readonly calls: string[];
}

/**
 * What is wrong with the order of events, of any number of prompts one after another; undefined where nothing is: each
 * beginning has its end, messages and tools stand in turns (the input of a prompt without turns alone does not), and
 * nothing comes after `agent_end`.
 */
export function eventOrderProblem(events: readonly AgentEvent[]): string | undefined {
  const place: Place = { isOpen: false, inTurn: false, inMessage: false, calls: [] };
  for (const [number, event] of events.entries()) {
    if (!isInPlace(event, place)) return `event ${number}, ${event.type}, is out of place`;
    take(event, place);
  }
  return place.isOpen ? "there is no agent_end" : undefined;
}

function isInPlace(event: AgentEvent, { isOpen, inTurn, inMessage, calls }: Place): boolean {
  if (event.type === "agent_start") return !isOpen;
  if (!isOpen) return false;
  switch (event.type) {
    case "turn_start":
    case "limit_reached":
    case "agent_end":
      return !inTurn && !inMessage;
    case "turn_end":
      return inTurn && !inMessage && calls.length === 0;
    case "message_start":
      return !inMessage && (inTurn || event.message.role === "user");
    case "message_update":
    case "message_end":
      return inMessage;
    case "tool_execution_start":
      return inTurn && !inMessage;
    // Those about a limit stand between turns.
    case "question_asked":
    case "question_answered":
      return !inMessage;
    case "tool_execution_update":
    case "tool_execution_end":
      return calls.includes(event.toolCallId);
    default:
      return inTurn && !inMessage;
  }
}

function take(event: AgentEvent, place: Place): void {
  switch (event.type) {
    case "agent_start":
    case "agent_end":
      place.isOpen = event.type === "agent_start";
      break;
    case "turn_start":
    case "turn_end":
      place.inTurn = event.type === "turn_start";
      break;
    case "message_start":
    case "message_end":
      place.inMessage = event.type === "message_start";
      break;
    case "tool_execution_start":
      place.calls.push(event.toolCallId);
      break;
    case "tool_execution_end":
      place.calls.splice(place.calls.indexOf(event.toolCallId), 1);
      break;
    default:
  }
}

/** The events of a type. */
export const typed = <Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): readonly Extract<AgentEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);

/** How the first of some prompts ended. */
export const outcomeOf = (events: readonly AgentEvent[]): string | undefined => typed(events, "agent_end")[0]?.outcome;
