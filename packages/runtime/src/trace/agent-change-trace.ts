import { agentPartsIn } from "../session/own-steps.ts";
import type { AgentParts } from "../session/session.ts";
import type { OwnLine } from "./own-line.ts";
import type { TraceAgentChange } from "./trace.ts";

/** What the agent's parts tell of a session. */
interface AgentChangeTrace {
  readonly changes: readonly TraceAgentChange[];
  /** The steps that were read, the first among them, which is no change. */
  readonly known: readonly string[];
}

/** Where the agent was another one than before, of the session's own lines. */
export function agentChangeTrace(own: readonly OwnLine[]): AgentChangeTrace {
  let before: AgentParts | undefined;
  const changes: TraceAgentChange[] = [];
  const known: string[] = [];
  for (const { line, afterPrompt } of own) {
    const parts = agentPartsIn(line);
    if (parts === undefined) continue;
    known.push(line.step);
    if (before) changes.push({ step: line.step, parts: differing(before, parts), afterPrompt });
    before = parts;
  }
  return { changes, known };
}

/** The names of the parts that are not the same, those that came or went among them. */
function differing(before: AgentParts, after: AgentParts): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}
