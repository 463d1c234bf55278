import { agentParts } from "../agent/agent-parts.ts";
import { promptSettings } from "../agent/prompt-settings.ts";
import { agentChanges, isOfModules, type PresentAgent, toolOf } from "./agent-changes.ts";
import { liveRegistry, rerunCalls } from "./live-calls.ts";
import type { Replay, ReplayOptions } from "./open-replay.ts";
import { readSource } from "./read-source.ts";
import { definedTools, hasModules, knownTools } from "./recorded-tools.ts";
import { readRecording } from "./recording.ts";
import { replayPrompt } from "./replay-prompt.ts";

/** As `openReplay`. */
export function sessionReplay(options: ReplayOptions): Replay {
  const { directory, source, live } = options;
  const { prompts } = readRecording(readSource(directory.path, source));
  const registry = live && liveRegistry(directory.path, live);
  const tools = registry ?? knownTools(directory, definedTools(directory));
  const retries = promptSettings({ directory }).retries.length;
  return {
    prompts,
    changes: (chosen) => agentChanges(chosen, presentAgent(options)),
    play: (prompt) =>
      replayPrompt(prompt, {
        tools,
        retries,
        ...(registry && live && { rerun: rerunCalls(prompt.number, registry, live) }),
      }),
  };
}

function presentAgent({ directory, live }: ReplayOptions): PresentAgent {
  const { definition } = directory;
  const { schemas } = live ? liveRegistry(directory.path, live) : knownTools(directory, definedTools(directory));
  const names = new Set(schemas.map(({ name }) => name));
  const isComplete = live !== undefined || !hasModules(directory);
  return {
    parts: agentParts({ definition, moduleSections: [], tools: schemas }),
    isKnown: (part) => {
      const tool = toolOf(part);
      return tool === undefined ? !isOfModules(part) : isComplete || names.has(tool.name);
    },
  };
}
