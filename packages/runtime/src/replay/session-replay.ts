import type { AgentDirectory } from "@mdx-ai/parser";
import { isUnrun } from "../loop/unrun-call.ts";
import type { AgentEvent } from "../types/event.ts";
import { liveRegistry, rerunCalls } from "./live-calls.ts";
import { agentChangesOf } from "./present-agent.ts";
import { readSource } from "./read-source.ts";
import { recordedCalls } from "./recorded-calls.ts";
import { definedTools, knownTools } from "./recorded-tools.ts";
import { conversationBefore, type RecordedPrompt, readRecording } from "./recording.ts";
import type { LiveTools, RecordingSource, Replay } from "./replay.ts";
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
    calls: ({ lines }) =>
      recordedCalls(lines)
        .filter(({ result }) => result !== undefined && !isUnrun(result))
        .map(({ call }) => ({ name: known.nameOf(call.name), arguments: call.arguments })),
    changes: (prompts, tools) => agentChangesOf(prompts, { directory, dataDirectory, ...(tools && { tools }) }),
  };
}
