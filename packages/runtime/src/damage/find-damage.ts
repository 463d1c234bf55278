import { basename } from "node:path";
import type { JournalLine } from "../journal/journal-line.ts";
import type { SeenJournal } from "../journal/read-journal.ts";
import { fixedLines } from "./fixed-lines.ts";

/** What is wrong with a journal. */
export interface JournalDamage {
  /** The numbers of the lines that cannot be read, or only in part, from 1. */
  readonly unreadable: readonly number[];
  /** How many lines are lost that a transcript needs, such as results of tool calls. */
  readonly missing: number;
  /** Whether the last line is unfinished. */
  readonly isTorn: boolean;
}

/** A journal, checked. */
export interface CheckedJournal {
  /** What the fixed journal holds: the readable lines, and substitutes for those that are missing. */
  readonly lines: readonly JournalLine[];
  /** Absent if nothing is wrong. */
  readonly damage?: JournalDamage;
}

/** Finds what is wrong with a journal. Opening a session fixes exactly this, and `verify` reports it. Pure. */
export function findDamage({ lines, gaps, unreadable, isTorn }: Omit<SeenJournal, "end">): CheckedJournal {
  const fixed = fixedLines({ lines, gaps });
  const damage = { unreadable, missing: fixed.added, isTorn };
  return isTorn || needsRewrite(damage) ? { lines: fixed.lines, damage } : { lines: fixed.lines };
}

/** Whether a journal must be rewritten; otherwise cutting off its last line fixes it. */
export const needsRewrite = ({ unreadable, missing }: JournalDamage): boolean => unreadable.length > 0 || missing > 0;

/** Describes damage for people, one text for each kind, such as "lines 3 and 7 of journal.jsonl cannot be read". */
export function damageTexts(path: string, { unreadable, missing, isTorn }: JournalDamage): readonly string[] {
  const name = basename(path);
  return [
    ...(unreadable.length > 0 ? [`${lineNumbers(unreadable)} of ${name} cannot be read`] : []),
    ...(isTorn ? [`the last line of ${name} is unfinished`] : []),
    ...(missing > 0
      ? [`${name} lacks ${missing === 1 ? "a line" : `${missing} lines`}, such as results of tools`]
      : []),
  ];
}

/** How many line numbers are listed. */
const LISTED = 10;

/** "line 3", "lines 3 and 7", "lines 1, 2, … and 5 more". */
function lineNumbers(numbers: readonly number[]): string {
  if (numbers.length === 1) return `line ${numbers[0]}`;
  if (numbers.length > LISTED) {
    return `lines ${numbers.slice(0, LISTED).join(", ")} and ${numbers.length - LISTED} more`;
  }
  return `lines ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
