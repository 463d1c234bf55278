import type { AgentDirectory } from "@mdx-ai/parser";
import type { AgentEvent } from "../types/event.ts";
import { sessionReplay } from "./session-replay.ts";

/** The events of a session's prompts, as its journal tells them, from the prompt of an id on. */
export async function* replayEvents(
  directory: AgentDirectory,
  { session, dataDirectory }: { readonly session: string; readonly dataDirectory: string },
  after: string,
): AsyncGenerator<AgentEvent, void, undefined> {
  const first = Number(after.split(".")[0]) || 0;
  const replay = sessionReplay(directory, { session }, dataDirectory);
  for (const prompt of replay.recording.prompts) {
    if (prompt.number >= first) yield* replay.play(prompt);
  }
}
