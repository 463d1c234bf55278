import { basename } from "node:path";
import type { JournalDamage } from "./read-journal.ts";

/** How many numbers of lines are told. */
const TOLD = 10;

/**
 * What was wrong with a journal and what was done, on one line, such as "lines 3 and 7 of journal.jsonl could not be read and
 * were left out; the damaged journal is kept as …".
 */
export function damageText(path: string, { unreadable, added, aside }: JournalDamage): string {
  const parts = [unreadableText(path, unreadable), addedText(path, added)].filter((part) => part !== undefined);
  return [...parts, `the damaged journal is kept as ${aside}`].join("; ");
}

function unreadableText(path: string, unreadable: readonly number[]): string | undefined {
  if (unreadable.length === 0) return undefined;
  return `${lineNumbers(unreadable)} of ${basename(path)} could not be read and ${unreadable.length === 1 ? "was" : "were"} left out`;
}

function addedText(path: string, added: number): string | undefined {
  if (added === 0) return undefined;
  const lines = added === 1 ? "1 line stands" : `${added} lines stand`;
  return `${lines} in ${basename(path)} for what was lost, such as results of tools`;
}

/** "line 3", "lines 3 and 7", "lines 1, 2, … and 5 more". */
export function lineNumbers(numbers: readonly number[]): string {
  if (numbers.length === 1) return `line ${numbers[0]}`;
  if (numbers.length > TOLD) return `lines ${numbers.slice(0, TOLD).join(", ")} and ${numbers.length - TOLD} more`;
  return `lines ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
