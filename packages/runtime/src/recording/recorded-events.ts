import type { AgentEvent } from "@mdx-ai/loop";
import type { AgentDirectory } from "@mdx-ai/parser";
import {
  conversationBefore,
  type JournalLine,
  ReplayError,
  readRecording,
  readSource,
  replayPrompt,
} from "@mdx-ai/sessions";
import { definedTools, knownTools } from "./recorded-tools.ts";

/** Replays the events of a session from its journal, starting with the prompt of an event id. */
export async function* recordedEvents(
  directory: AgentDirectory,
  { session, dataDirectory }: { readonly session: string; readonly dataDirectory: string },
  after: string,
): AsyncGenerator<AgentEvent, void, undefined> {
  yield* eventsOfLines(directory, readSource(dataDirectory, { session }), after);
}

/** The same for the lines of a session. */
export async function* eventsOfLines(
  directory: AgentDirectory,
  lines: readonly JournalLine[],
  after: string,
): AsyncGenerator<AgentEvent, void, undefined> {
  const first = Number(after.split(".")[0]);
  const recording = readRecording(lines);
  const tools = knownTools(directory, definedTools(directory));
  for (const prompt of recording.prompts) {
    if (prompt.number < first) continue;
    yield* readableEvents(replayPrompt(prompt, { tools, conversation: conversationBefore(recording, prompt) }));
  }
}

/** Leaves out events that a damaged recording lacks. */
async function* readableEvents(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
  }
}
