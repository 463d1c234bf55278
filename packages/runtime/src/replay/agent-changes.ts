import type { AgentParts } from "../session/session.ts";
import type { RecordedPrompt } from "./recording.ts";

/** What of an agent has changed since a prompt was recorded, and before the next one or until today. */
export interface AgentChange {
  /** The last prompt that the earlier agent worked off. */
  readonly prompt: number;
  /** Such as `section "Rules"`, `parameters of tool weather` or `skill "packing" (gone)`. Not empty. */
  readonly parts: readonly string[];
}

/** What an agent is by now. */
export interface PresentAgent {
  readonly parts: AgentParts;
  /** Whether a part is known by now at all: what modules tell is not, where they were not loaded. */
  isKnown(part: string): boolean;
}

/** The changes that matter for some prompts. Those of which nobody wrote down what the agent was have none. */
export function agentChanges(prompts: readonly RecordedPrompt[], present: PresentAgent): readonly AgentChange[] {
  return prompts.flatMap(({ number, agent }, place) => {
    if (agent === undefined || Bun.deepEquals(prompts[place + 1]?.agent, agent)) return [];
    const parts = differingParts(agent, present);
    return parts.length === 0 ? [] : [{ prompt: number, parts }];
  });
}

function differingParts(before: AgentParts, { parts: now, isKnown }: PresentAgent): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(isKnown);
  const states = new Map(names.map((name) => [name, stateOf(before[name], now[name])]));
  return [...states].flatMap(([name, state]) => {
    const tool = toolOf(name);
    if (
      state === "same" ||
      (tool?.about === "description" && states.get(parametersOf(tool.name)) === state && state !== "changed")
    )
      return [];
    if (state === "changed") return [name];
    return [`${tool?.about === "parameters" ? `tool ${tool.name}` : name} (${state})`];
  });
}

type PartState = "same" | "changed" | "new" | "gone";

function stateOf(before: string | undefined, now: string | undefined): PartState {
  if (before === now) return "same";
  if (before === undefined) return "new";
  return now === undefined ? "gone" : "changed";
}

const parametersOf = (tool: string): string => `parameters of tool ${tool}`;

/** The tool that a part tells about, and what it tells; undefined for other parts. */
export function toolOf(
  part: string,
): { readonly about: "description" | "parameters"; readonly name: string } | undefined {
  const [, about, name = ""] = /^(description|parameters) of tool (.*)$/s.exec(part) ?? [];
  return about === "description" || about === "parameters" ? { about, name } : undefined;
}

/** Whether a part is no part of the agent's definition, and may be another at each prompt. */
export const isPassing = (part: string): boolean =>
  part === "long-term memory" || /^section \d+ of the modules$/.test(part);
