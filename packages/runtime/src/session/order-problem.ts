import type { JournalLine } from "../journal/journal-line.ts";
import { isModelStep, turnOf } from "../step-names.ts";

/**
 * What is wrong with the order of a session's lines, for people; undefined where nothing is. Prompts and turns only ever go
 * forwards and no step has two results, unless several processes wrote at once, or somebody put journals together by hand.
 * Pure.
 */
export function orderProblem(lines: readonly JournalLine[]): string | undefined {
  const results = new Set<string>();
  let last: Place = { prompt: 0, turn: 0 };
  for (const line of lines.filter(({ prompt }) => prompt > 0)) {
    const place = placeOf(line, last);
    if (place.prompt < last.prompt) return `the journal goes back from prompt ${last.prompt} to prompt ${place.prompt}`;
    if (place.prompt === last.prompt && place.turn < last.turn) {
      return `the journal goes back from turn ${last.turn} to turn ${place.turn} of prompt ${place.prompt}`;
    }
    last = place;
    if (!("result" in line)) continue;
    const key = `${line.prompt}/${line.step}`;
    if (results.has(key)) return `the journal has two results of step ${line.step} of prompt ${line.prompt}`;
    results.add(key);
  }
  return undefined;
}

interface Place {
  readonly prompt: number;
  /** Of the newest model call; 0 before the first. */
  readonly turn: number;
}

function placeOf({ prompt, step }: JournalLine, last: Place): Place {
  if (isModelStep(step)) return { prompt, turn: Number(turnOf(step)) };
  return { prompt, turn: prompt === last.prompt ? last.turn : 0 };
}
