import { type Change, moved } from "./changes.ts";

/** Unchanged lines around a change. */
const CONTEXT = 3;

/** A range of lines before and after; lines start at 0, ends are exclusive. */
export interface LineChange {
  readonly oldFirst: number;
  readonly oldEnd: number;
  readonly newFirst: number;
  readonly newEnd: number;
}

/** A part of a text that begins with a line, with the positions of its lines. */
interface Lines {
  readonly text: string;
  /** The positions of its line ends. */
  readonly ends: readonly number[];
}

function linesOf(text: string): Lines {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
  return { text, ends };
}

const countOf = ({ text, ends }: Lines): number => ends.length + ((ends.at(-1) ?? -1) < text.length - 1 ? 1 : 0);

const lineOf = ({ text, ends }: Lines, index: number): string =>
  text.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, ends[index] ?? text.length);

/** The index of the line that holds a position. */
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

/** How a text was changed, line by line. */
export interface LineDifference {
  /** The lines that differ. */
  readonly changes: readonly LineChange[];
  /** As `diff -u` shows it, without the lines that name files. */
  readonly diff: string;
}

/** The difference that known changes make. Takes time for the lines between the first change and the last one. */
export function lineDifference(before: string, after: string, changes: readonly Change[]): LineDifference {
  const start = contextStart(before, changes[0]?.oldStart ?? 0);
  const end = contextEnd(before, changes.at(-1)?.oldEnd ?? 0);
  const old = linesOf(before.slice(start, end));
  const now = linesOf(after.slice(start, end + after.length - before.length));
  const lines = changedLines(
    old,
    now,
    changes.map((change) => moved(change, -start)),
  );
  const first = lineCount(before, start);
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
function contextStart(text: string, position: number): number {
  let start = lineStart(text, position);
  for (let line = 0; line < CONTEXT && start > 0; line += 1) start = lineStart(text, start - 1);
  return start;
}

const lineStart = (text: string, position: number): number =>
  position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1;

/** The end of the line that is `CONTEXT` lines after a position, line end included. */
function contextEnd(text: string, position: number): number {
  let end = position;
  for (let line = 0; line <= CONTEXT && end < text.length; line += 1) {
    const found = text.indexOf("\n", end);
    end = found === -1 ? text.length : found + 1;
  }
  return end;
}

/** How many lines end before a position. */
function lineCount(text: string, position: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
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

/** Without the lines at both ends that stay the same. */
function trimmed(old: Lines, now: Lines, range: LineChange): LineChange {
  let { oldFirst, oldEnd, newFirst, newEnd } = range;
  const isMore = (): boolean => oldFirst < oldEnd && newFirst < newEnd;
  while (isMore() && lineOf(old, oldFirst) === lineOf(now, newFirst)) {
    oldFirst += 1;
    newFirst += 1;
  }
  while (isMore() && lineOf(old, oldEnd - 1) === lineOf(now, newEnd - 1)) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldFirst, oldEnd, newFirst, newEnd };
}

/** Changes that are so near that their context meets come together. */
function hunks(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last && change.oldFirst - (last.at(-1)?.oldEnd ?? 0) <= 2 * CONTEXT) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Changes whose context meets. */
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

/** An empty range is named by the line before it. */
const range = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;
