import { headOf } from "../tool-result.ts";
import { linesBefore } from "./find-text.ts";

/** Line numbers that a message lists at most. */
const LISTED = 10;
/** Lines of the nearest match that a message shows at most, and characters of each. */
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;
/** A line is compared with this many others at most, character by character. */
const COMPARED = 20_000;
/** Lines that are searched for a match at most. */
const SEARCHED = 200_000;
/** Equal lines of `old` that are looked for at most: a line that is repeated says little. */
const SAME = 10;

/** Why a text that is at several positions of a file cannot be replaced. */
export function ambiguousText(file: Buffer, positions: readonly number[]): string {
  const numbers = [...new Set(positions.slice(0, LISTED).map((position) => linesBefore(file, position) + 1))];
  const more = positions.length > LISTED ? " and more" : "";
  const lines = `${numbers.length === 1 ? "line" : "lines"} ${numbers.join(", ")}${more}`;
  return `\`old\` is in the file ${positions.length} times (${lines}): include more of the text around it, or set \`all\``;
}

/** Why a text cannot be replaced that is nowhere in the file, with the lines that are most like it. */
export function missingText(text: string, old: string): string {
  const lines = text.split("\n");
  const wanted = old.replace(/\r?\n$/, "").split(/\r?\n/);
  const first = nearestLine(lines, wanted);
  const hint = "read the file again and copy the text exactly, without line numbers";
  if (first === undefined) return `\`old\` is not in the file, nor anything like it: ${hint}`;
  const last = Math.min(first + Math.min(wanted.length, SHOWN_LINES), lines.length);
  const shown = lines
    .slice(first, last)
    .map((line, index) => `${first + index + 1}: ${headOf(line.replace(/\r$/, ""), SHOWN_CHARACTERS)}`);
  return `\`old\` is not in the file: ${hint}. The nearest match is at line ${first + 1}:\n${shown.join("\n")}`;
}

/** The index of the line at which most lines equal the wanted ones, else of the line most like the first of these. */
function nearestLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  const places = Map.groupBy(
    wanted.map((line, index) => ({ line: line.trim(), index })).filter(({ line }) => line !== ""),
    ({ line }) => line,
  );
  for (const [index, line] of lines.slice(0, SEARCHED).entries()) {
    for (const place of (places.get(line.trim()) ?? []).slice(0, SAME)) {
      const first = index - place.index;
      // A line such as "}" says little.
      if (first >= 0) votes.set(first, (votes.get(first) ?? 0) + Math.min(line.trim().length, 40));
    }
  }
  const best = [...votes].reduce((one, other) => (other[1] > one[1] ? other : one), [-1, 0]);
  return best[1] > 3 ? best[0] : similarLine(lines, wanted);
}

/** The index of the line that shares most pairs of characters with the first wanted line that is not blank. */
function similarLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const key = wanted.findIndex((line) => line.trim() !== "");
  if (key === -1) return undefined;
  const pairs = pairsOf(wanted[key] ?? "");
  let found: number | undefined;
  let most = 0.5;
  for (const [index, line] of lines.slice(0, COMPARED).entries()) {
    const similarity = likeness(pairs, pairsOf(headOf(line, 1_000)));
    if (similarity <= most) continue;
    most = similarity;
    found = Math.max(0, index - key);
  }
  return found;
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim();
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}

/** From 0 to 1, by the pairs of characters that two lines share. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}
