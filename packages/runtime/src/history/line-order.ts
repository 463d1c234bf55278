import type { JournalLine } from "../journal/journal-line.ts";
import { isOfTurn, readStep } from "../loop/steps.ts";
import { isReadable } from "./read-turn.ts";

/**
 * The mistake in the order of a session's lines, for people; undefined if there is none. Prompts and turns only go forward,
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

/**
 * The lines of a session's newest journal in the order of prompts and turns, given the lines of the journals before it. Of
 * several results of a step, the first that can be read stays. Pure.
 */
export function inOrder(lines: readonly JournalLine[], before: readonly JournalLine[]): readonly JournalLine[] {
  const known = new Set(before.flatMap(identityOf));
  const turns = new Map<number, number>();
  let last: Position = { prompt: 0, turn: 0 };
  const placed = lines.map((line) => {
    // A step of the session itself stays behind the line that it followed.
    if (line.prompt > 0) last = { prompt: line.prompt, turn: turnOf(line, turns.get(line.prompt) ?? 0) };
    turns.set(last.prompt, last.turn);
    return { line, ...last };
  });
  return placed
    .toSorted((one, other) => one.prompt - other.prompt || one.turn - other.turn)
    .flatMap(({ line }) => {
      const isRepeated = identityOf(line).some((identity) => known.has(identity));
      for (const identity of identityOf(line)) known.add(identity);
      return isRepeated ? [] : [line];
    });
}

/** The turn to which a line belongs; that of the line before it in its prompt if its step does not say. */
function turnOf({ step }: JournalLine, turnBefore: number): number {
  const { kind, number } = readStep(step);
  if (isOfTurn(kind)) return number;
  return kind === "end" || kind === "afterPrompt" ? Number.POSITIVE_INFINITY : turnBefore;
}

/** A key that no other line of a session repeats; empty for the steps of the session itself, and results that cannot be read. */
function identityOf(line: JournalLine): readonly string[] {
  if (line.prompt === 0 || !isReadable(line)) return [];
  return [`${line.prompt} ${"result" in line ? "result" : "start"} ${line.step}`];
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
