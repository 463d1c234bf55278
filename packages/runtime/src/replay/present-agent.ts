import type { AgentDirectory } from "@mdx-ai/parser";
import { agentParts } from "../agent/agent-parts.ts";
import { readRemembered } from "../memory/remembered.ts";
import type { AgentTool } from "../types/tool.ts";
import { type AgentChange, agentChanges, isPassing, toolOf } from "./agent-changes.ts";
import { definedTools, hasModules, knownTools } from "./recorded-tools.ts";
import type { RecordedPrompt } from "./recording.ts";

/** An agent as it is today. */
export interface AgentToday {
  readonly directory: AgentDirectory;
  /** Holds its memories. Absolute. */
  readonly dataDirectory: string;
  /** All of its tools; those of modules are not known without. */
  readonly tools?: readonly AgentTool[];
}

/** What of an agent has changed since prompts were recorded. What modules say and what is remembered is not compared. */
export function agentChangesOf(
  prompts: readonly RecordedPrompt[],
  { directory, dataDirectory, tools }: AgentToday,
): readonly AgentChange[] {
  const { schemas } = knownTools(directory, tools ?? definedTools(directory));
  const names = new Set(schemas.map(({ name }) => name));
  const remembered = readRemembered({ agentDir: directory.path, dataDir: dataDirectory }, () => {});
  const isComplete = tools !== undefined || !hasModules(directory);
  return agentChanges(prompts, {
    parts: agentParts({ definition: directory.definition, moduleSections: [], tools: schemas, remembered }),
    isKnown: (part) => {
      const tool = toolOf(part);
      return tool === undefined ? !isPassing(part) : isComplete || names.has(tool.name);
    },
  });
}
