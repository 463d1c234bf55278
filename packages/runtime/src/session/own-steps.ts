import type { JournalLine } from "../journal/journal-line.ts";
import { isCompactionStep, numberOf } from "../step-names.ts";
import { type AgentParts, isAgentParts } from "./session.ts";

/** What a session's own steps tell. */
export interface OwnSteps {
  /** The highest numbers that were given. */
  readonly queued: number;
  readonly unqueued: number;
  readonly heads: number;
  readonly agents: number;
  readonly agentParts: AgentParts | undefined;
}

/** Reads the lines of a session's own steps. */
export function readOwnSteps(lines: readonly JournalLine[]): OwnSteps {
  const highest = (kind: Parameters<typeof numberOf>[0]): number =>
    lines.reduce((most, { step }) => Math.max(most, numberOf(kind, step) ?? 0), 0);
  const parts = lines.findLast((line) => numberOf("agent", line.step) !== undefined && "result" in line);
  const result = parts && "result" in parts ? parts.result : undefined;
  return {
    queued: highest("queue"),
    unqueued: highest("unqueue"),
    heads: highest("head"),
    agents: highest("agent"),
    agentParts: isAgentParts(result) ? result : undefined,
  };
}

/** The lines that still mean something when the journal goes on in another file. */
export function lastingSteps(lines: readonly JournalLine[], waiting: ReadonlySet<number>): readonly JournalLine[] {
  const last = new Map<string, JournalLine>();
  const others = lines.filter((line) => {
    if (isCompactionStep(line.step) || numberOf("unqueue", line.step) !== undefined) return false;
    const queued = numberOf("queue", line.step);
    if (queued !== undefined) return waiting.has(queued);
    for (const kind of ["head", "agent"] as const) {
      if (numberOf(kind, line.step) === undefined) continue;
      last.set(kind, line);
      return false;
    }
    return true;
  });
  return [...others, ...last.values()];
}
