import type { JournalLine } from "../journal/journal-line.ts";
import { isRecord } from "../record.ts";
import { isResumeStep } from "../step-names.ts";
import { stepPlace } from "./step-place.ts";
import type { TraceResumption } from "./trace.ts";

/** Where later processes went on with a prompt, of its lines. */
export function resumptionTraces(lines: readonly JournalLine[]): readonly TraceResumption[] {
  const turns = lines.map(({ step }) => stepPlace(step)?.turn);
  return lines.flatMap((line, place) => {
    if (!isResumeStep(line.step) || !("result" in line) || !isRecord(line.result)) return [];
    const { at } = line.result;
    if (typeof at !== "number") return [];
    const turn = turns.slice(place).find(isThere) ?? turns.findLast(isThere);
    return [{ step: line.step, at, ...(turn !== undefined && { turn }) }];
  });
}

const isThere = (turn: number | undefined): boolean => turn !== undefined;
