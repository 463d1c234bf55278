import type { JournalLine } from "../journal/journal-line.ts";
import { isModelStep, turnOf } from "../step-names.ts";

/**
 * What is wrong with the order of a session's lines, for people; undefined if nothing is. Prompts and turns only go forward,
 * and no step has two results, unless several processes wrote at once or somebody joined journals by hand. Pure.
 */
export function orderProblem(lines: readonly JournalLine[]): string | undefined {
  const results = new Set<string>();
  let last: Position = { prompt: 0, turn: 0 };
  for (const line of lines.filter(({ prompt }) => prompt > 0)) {
    const position = positionOf(line, last);
    if (position.prompt < last.prompt)
      return `the journal goes back from prompt ${last.prompt} to prompt ${position.prompt}`;
    if (position.prompt === last.prompt && position.turn < last.turn) {
      return `the journal goes back from turn ${last.turn} to turn ${position.turn} of prompt ${position.prompt}`;
    }
    last = position;
    if (!("result" in line)) continue;
    const key = `${line.prompt}/${line.step}`;
    if (results.has(key)) return `the journal has two results of step ${line.step} of prompt ${line.prompt}`;
    results.add(key);
  }
  return undefined;
}

interface Position {
  readonly prompt: number;
  /** Of the newest model call; 0 before the first. */
  readonly turn: number;
}

function positionOf({ prompt, step }: JournalLine, last: Position): Position {
  if (isModelStep(step)) return { prompt, turn: Number(turnOf(step)) };
  return { prompt, turn: prompt === last.prompt ? last.turn : 0 };
}
