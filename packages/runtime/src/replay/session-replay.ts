import type { AgentDirectory } from "@mdx-ai/parser";
import { isUnrun } from "../loop/unrun-call.ts";
import type { AgentEvent } from "../types/event.ts";
import { agentChanges } from "./agent-changes.ts";
import { liveRegistry, rerunCalls } from "./live-calls.ts";
import { definedTools, knownTools } from "./recorded-tools.ts";
import {
  conversationBefore,
  type RecordedPrompt,
  type RecordingSource,
  readRecording,
  readSource,
} from "./recording.ts";
import type { LiveTools, Replay } from "./replay.ts";
import { replayPrompt } from "./replay-prompt.ts";

/** As `openReplay`. */
export function sessionReplay(directory: AgentDirectory, source: RecordingSource, dataDirectory: string): Replay {
  const recording = readRecording(readSource(dataDirectory, source));
  const known = knownTools(directory, definedTools(directory));

  function play(prompt: RecordedPrompt, live?: LiveTools): AsyncIterable<AgentEvent> {
    const conversation = conversationBefore(recording, prompt);
    if (live === undefined) return replayPrompt(prompt, { tools: known, conversation });
    const rerun = rerunCalls(prompt.number, liveRegistry(directory.path, live), live);
    return replayPrompt(prompt, { tools: knownTools(directory, live.tools), conversation, rerun });
  }
  return {
    recording,
    play,
    calls: ({ history }) =>
      history.turns
        .flatMap(({ calls }) => calls)
        .filter(({ result }) => result !== undefined && !isUnrun(result))
        .map(({ call }) => ({ name: known.nameOf(call.name), arguments: call.arguments })),
    changes: (prompts, tools) => agentChanges(prompts, { directory, dataDirectory, ...(tools && { tools }) }),
  };
}

/** The events of a session's prompts, as its journal says, from the prompt of an event's id on. */
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
