import type { AgentEvent, LoopEvent } from "../types/event.ts";

/** Gives the events of a prompt their ids, and passes them on. One for each run of the loop. */
export function numberEvents(prompt: number, pass: (event: AgentEvent) => void): (event: LoopEvent) => void {
  let position = 0;
  return (event) => {
    if (event.type === "message_update" || event.type === "tool_execution_update") pass(event);
    else pass({ ...event, id: eventId(prompt, ++position) });
  };
}

/** The id of an event; position 0 is the event that says that a prompt was resumed. */
export const eventId = (prompt: number, position: number): string => `${prompt}.${position}`;
