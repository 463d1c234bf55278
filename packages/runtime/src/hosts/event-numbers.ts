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

/** Whether a text is the id of an event, or could be: "0.0" comes before the first. */
export const isEventId = (text: string): boolean => /^\d{1,15}\.\d{1,15}$/.test(text);

/** Compares two ids by what they count. */
export function compareEventIds(one: string, other: string): number {
  const [prompt = 0, position = 0] = numbersOf(one);
  const [otherPrompt = 0, otherPosition = 0] = numbersOf(other);
  return prompt - otherPrompt || position - otherPosition;
}

const numbersOf = (id: string): readonly number[] => id.split(".").map(Number);
