import type { JournalLine } from "../journal/journal-line.ts";
import { readStep } from "../step-kinds.ts";
import { isReadable } from "./readable-result.ts";

/**
 * What is wrong with the order of a session's lines, for people; undefined if nothing is. Prompts and turns only go forward,
 * and no step has two results, unless several processes wrote at once or somebody joined journals by hand. Pure.
 */
export function orderProblem(lines: readonly JournalLine[]): string | undefined {
  const results = new Set<string>();
  let last: Position = { prompt: 0, turn: 0 };
  for (const line of lines) {
    if (line.prompt === 0) continue;
    const position = positionOf(line, last);
    if (position.prompt < last.prompt)
      return `the journal goes back from prompt ${last.prompt} to prompt ${position.prompt}`;
    if (position.prompt === last.prompt && position.turn < last.turn) {
      return `the journal goes back from turn ${last.turn} to turn ${position.turn} of prompt ${position.prompt}`;
    }
    if (position.prompt > last.prompt) results.clear();
    last = position;
    if (!("result" in line) || !isReadable(line)) continue;
    if (results.has(line.step)) return `the journal has two results of step ${line.step} of prompt ${line.prompt}`;
    results.add(line.step);
  }
  return undefined;
}

interface Position {
  readonly prompt: number;
  /** Of the newest model call; 0 before the first. */
  readonly turn: number;
}

function positionOf({ prompt, step }: JournalLine, last: Position): Position {
  const { kind, number } = readStep(step);
  if (kind === "model") return { prompt, turn: number };
  return { prompt, turn: prompt === last.prompt ? last.turn : 0 };
}
