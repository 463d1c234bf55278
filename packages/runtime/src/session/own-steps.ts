import { JOURNAL_VERSION, type JournalLine } from "../journal/journal-line.ts";
import { isCompactionStep, numberedStep, numberOf } from "../step-names.ts";
import { type AgentParts, isAgentParts } from "./session.ts";

/** What a session's own steps tell. */
export interface OwnSteps {
  /** The highest numbers that were given. */
  readonly queued: number;
  readonly heads: number;
  readonly agents: number;
  readonly agentParts: AgentParts | undefined;
}

/** Reads the lines of a session's own steps. */
export function readOwnSteps(lines: readonly JournalLine[]): OwnSteps {
  const highest = (kind: Parameters<typeof numberOf>[0]): number =>
    lines.reduce((most, { step }) => Math.max(most, numberOf(kind, step) ?? 0), 0);
  return {
    queued: highestQueued(lines),
    heads: highest("head"),
    agents: highest("agent"),
    agentParts: lines.map(agentPartsIn).findLast((parts) => parts !== undefined),
  };
}

/** What the agent is from a line on; undefined where it does not say. */
export function agentPartsIn({ prompt, step, ...line }: JournalLine): AgentParts | undefined {
  if (prompt !== 0 || numberOf("agent", step) === undefined || !("result" in line)) return undefined;
  return isAgentParts(line.result) ? line.result : undefined;
}

/** The lines that still mean something when the journal goes on in another file. */
export function lastingSteps(lines: readonly JournalLine[], waiting: ReadonlySet<number>): readonly JournalLine[] {
  const last = new Map<string, JournalLine>();
  const others = lines.filter((line) => {
    if (isCompactionStep(line.step) || queueNumber(line) !== undefined) return false;
    for (const kind of ["head", "agent"] as const) {
      if (numberOf(kind, line.step) === undefined) continue;
      last.set(kind, line);
      return false;
    }
    return true;
  });
  return [...others, ...last.values(), ...queueSteps(lines, waiting)];
}

/** Of the queue's lines those of what waits. No number is given twice, also where the input that had the highest is gone. */
function queueSteps(lines: readonly JournalLine[], waiting: ReadonlySet<number>): readonly JournalLine[] {
  const steps = lines.filter(({ step }) => waiting.has(numberOf("queue", step) ?? 0));
  const highest = highestQueued(lines);
  if (highest === 0 || waiting.has(highest)) return steps;
  return [...steps, { v: JOURNAL_VERSION, prompt: 0, step: numberedStep("unqueue", highest), result: {} }];
}

const highestQueued = (lines: readonly JournalLine[]): number =>
  lines.reduce((most, line) => Math.max(most, queueNumber(line) ?? 0), 0);

/** The number of the input that is put into the queue, or taken back; undefined for any other line. */
const queueNumber = ({ step }: JournalLine): number | undefined => numberOf("queue", step) ?? numberOf("unqueue", step);
