import { type Change, moved } from "./changes.ts";
import { linesBefore } from "./find-text.ts";

/** The number of unchanged lines around a change. */
const CONTEXT = 3;

/** A range of lines before and after; lines start at 0, ends are exclusive. */
export interface LineChange {
  readonly oldFirst: number;
  readonly oldEnd: number;
  readonly newFirst: number;
  readonly newEnd: number;
}

/** A part of a UTF-8 text that begins with a line, and the positions of its lines. */
interface Lines {
  readonly bytes: Buffer;
  /** The positions of its line ends. */
  readonly ends: readonly number[];
}

function linesOf(bytes: Buffer): Lines {
  const ends: number[] = [];
  // Decoded as Latin-1, since searching bytes one by one is far slower.
  const text = bytes.toString("latin1");
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
  return { bytes, ends };
}

const countOf = ({ bytes, ends }: Lines): number => ends.length + ((ends.at(-1) ?? -1) < bytes.length - 1 ? 1 : 0);

const bytesOf = ({ bytes, ends }: Lines, index: number): Buffer =>
  bytes.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, ends[index] ?? bytes.length);

const lineOf = (lines: Lines, index: number): string => bytesOf(lines, index).toString();

/** The index of the line at a position. */
function lineAt({ ends }: Lines, position: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The changes of a text, line by line. */
export interface LineDifference {
  /** The lines that differ. */
  readonly changes: readonly LineChange[];
  /** The output of `diff -u`, without the lines that name files. */
  readonly diff: string;
}

/** The diff of known changes. Takes time for the lines between the first change and the last. */
export function lineDifference(before: Buffer, after: Buffer, changes: readonly Change[]): LineDifference {
  const start = contextStart(before, changes[0]?.oldStart ?? 0);
  const end = contextEnd(before, changes.at(-1)?.oldEnd ?? 0);
  const old = linesOf(before.subarray(start, end));
  const now = linesOf(after.subarray(start, end + after.length - before.length));
  const lines = changedLines(
    old,
    now,
    changes.map((change) => moved(change, -start)),
  );
  const first = linesBefore(before, start);
  return {
    changes: lines.map(({ oldFirst, oldEnd, newFirst, newEnd }) => ({
      oldFirst: oldFirst + first,
      oldEnd: oldEnd + first,
      newFirst: newFirst + first,
      newEnd: newEnd + first,
    })),
    diff: hunks(lines)
      .map((hunk) => hunkText(old, now, { changes: hunk, first }))
      .join("\n"),
  };
}

/** The start of the line that is `CONTEXT` lines before a position. */
function contextStart(text: Buffer, position: number): number {
  let start = lineStart(text, position);
  for (let line = 0; line < CONTEXT && start > 0; line += 1) start = lineStart(text, start - 1);
  return start;
}

const lineStart = (text: Buffer, position: number): number =>
  position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1;

/** The end of the line that is `CONTEXT` lines after a position, line end included. */
function contextEnd(text: Buffer, position: number): number {
  let end = position;
  for (let line = 0; line <= CONTEXT && end < text.length; line += 1) {
    const found = text.indexOf("\n", end);
    end = found === -1 ? text.length : found + 1;
  }
  return end;
}

function changedLines(old: Lines, now: Lines, changes: readonly Change[]): readonly LineChange[] {
  const lines: LineChange[] = [];
  for (const change of changes) {
    const range = trimmed(old, now, wholeLines(old, now, change));
    const previous = lines.at(-1);
    if (range.oldFirst === range.oldEnd && range.newFirst === range.newEnd) continue;
    if (previous && range.oldFirst <= previous.oldEnd && range.newFirst <= previous.newEnd) {
      lines[lines.length - 1] = { ...previous, oldEnd: range.oldEnd, newEnd: range.newEnd };
    } else lines.push(range);
  }
  return lines;
}

function wholeLines(old: Lines, now: Lines, change: Change): LineChange {
  return {
    oldFirst: lineAt(old, change.oldStart),
    oldEnd: Math.min(countOf(old), lineAt(old, change.oldEnd) + 1),
    newFirst: lineAt(now, change.newStart),
    newEnd: Math.min(countOf(now), lineAt(now, change.newEnd) + 1),
  };
}

/** Removes equal lines at both ends. */
function trimmed(old: Lines, now: Lines, range: LineChange): LineChange {
  let { oldFirst, oldEnd, newFirst, newEnd } = range;
  const isMore = (): boolean => oldFirst < oldEnd && newFirst < newEnd;
  while (isMore() && bytesOf(old, oldFirst).equals(bytesOf(now, newFirst))) {
    oldFirst += 1;
    newFirst += 1;
  }
  while (isMore() && bytesOf(old, oldEnd - 1).equals(bytesOf(now, newEnd - 1))) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldFirst, oldEnd, newFirst, newEnd };
}

/** Merges changes whose contexts meet. */
function hunks(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last && change.oldFirst - (last.at(-1)?.oldEnd ?? 0) <= 2 * CONTEXT) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Changes with a common context. */
interface Hunk {
  readonly changes: readonly LineChange[];
  /** The number of the first line of the texts, from 0. */
  readonly first: number;
}

function hunkText(old: Lines, now: Lines, { changes, first }: Hunk): string {
  const changed = changes[0]?.oldFirst ?? 0;
  const start = Math.max(0, changed - CONTEXT);
  const newStart = (changes[0]?.newFirst ?? 0) - (changed - start);
  const end = Math.min(countOf(old), (changes.at(-1)?.oldEnd ?? 0) + CONTEXT);
  const lines: string[] = [];
  let at = start;
  const keep = (until: number): void => {
    for (; at < until; at += 1) lines.push(` ${lineOf(old, at)}`);
  };
  let growth = 0;
  for (const change of changes) {
    keep(change.oldFirst);
    for (; at < change.oldEnd; at += 1) lines.push(`-${lineOf(old, at)}`);
    for (let index = change.newFirst; index < change.newEnd; index += 1) lines.push(`+${lineOf(now, index)}`);
    growth += change.newEnd - change.newFirst - (change.oldEnd - change.oldFirst);
  }
  keep(end);
  const head = `@@ -${range(first + start, end - start)} +${range(first + newStart, end - start + growth)} @@`;
  return [head, ...lines.map((line) => line.replace(/\r$/, ""))].join("\n");
}

/** An empty range has the number of the line before it. */
const range = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;
