import { type KnownSkills, type Parts, skillResults } from "./kept-content.ts";
import { messageLine } from "./message-line.ts";
import type { Measure } from "./message-size.ts";

/** Of the room, what the oldest lines get; where not all fit, the middle is left out. */
const OLDEST_SHARE = 0.25;
/** Of the room in tokens, what one text may have in characters: several fit even where each makes a token. */
const TEXT_SHARE = 0.25;

interface Room {
  /** In tokens. */
  readonly room: number;
  readonly measure: Measure;
}

/**
 * The older part of a conversation as a model reads it to summarise it: a JSON value a line. What stood for older
 * messages comes first. Long texts are shortened, and messages in the middle left out, down to `room` tokens.
 */
export function olderText({ earlier, older }: Parts, known: KnownSkills, { room, measure }: Room): string {
  const skills = skillResults(older, known);
  const options = { most: Math.floor(room * TEXT_SHARE), skills, skillTexts: known.skillTexts };
  const lines = older.map((message) => messageLine(message, options));
  const first = earlier ? [JSON.stringify({ summary_of_what_came_before: earlier.summary })] : [];
  const left = room - first.reduce((size, line) => size + measure.text(line), 0);
  return [...first, ...fitting(lines, { room: left, measure })].join("\n");
}

function fitting(lines: readonly string[], { room, measure }: Room): readonly string[] {
  const sizes = lines.map((line) => measure.text(line) + 1);
  if (sum(sizes) <= room) return lines;
  const oldest = countWithin(sizes, room * OLDEST_SHARE);
  const newest = countWithin(sizes.slice(oldest).toReversed(), room - sum(sizes.slice(0, oldest)));
  const note = JSON.stringify({ left_out: `${lines.length - oldest - newest} messages` });
  return [...lines.slice(0, oldest), note, ...lines.slice(lines.length - newest)];
}

/** How many of the first sizes fit a room. */
function countWithin(sizes: readonly number[], room: number): number {
  let used = 0;
  const place = sizes.findIndex((size) => {
    used += size;
    return used > room;
  });
  return place === -1 ? sizes.length : place;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
