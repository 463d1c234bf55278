import type { Memory, Notes } from "../types/memory.ts";
import { bulletList, section } from "./section.ts";

/** What AGENT.md says, and how much of it is left out; empty without it. */
export function notesText(notes: Notes | undefined): string {
  if (notes === undefined) return "";
  const { text, size, omitted } = notes;
  const rest = omitted === 0 ? "" : `\n\n(AGENT.md goes on: the last ${omitted} of its ${size} bytes are left out.)`;
  return section("AGENT.md", `${text.trim()}${rest}`);
}

/** What the user wants to be known in every session; empty where there is nothing. */
export const memoriesText = (memories: readonly Memory[]): string =>
  section("Long-term memory", bulletList(memories.map(({ content }) => content)));
