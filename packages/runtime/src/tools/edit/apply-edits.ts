import { isRecord } from "@mdx-ai/parser/record";
import { attempt } from "../../attempt.ts";
import { type Change, composed, moved } from "./changes.ts";
import { ambiguousText, missingText } from "./edit-problems.ts";
import { positionsOf, tolerantSpans } from "./find-text.ts";

/** One replacement of a text in a file. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  /** Whether every occurrence is replaced, instead of the only one. */
  readonly all?: boolean | undefined;
}

/** The edits of a call's arguments. */
export const editsOf = (value: unknown): readonly Edit[] =>
  (Array.isArray(value) ? value : []).filter(isRecord).map((edit) => ({
    old: String(edit["old"]),
    new: String(edit["new"]),
    all: edit["all"] === true,
  }));

/** A file cannot be edited as requested; the message is for a model. */
export class EditError extends Error {
  override readonly name = "EditError";
}

/** A text after all its edits. */
export interface EditedText {
  readonly text: string;
  /** The replaced ranges, in their order in the text. */
  readonly changes: readonly Change[];
  readonly replacements: number;
  /** The numbers, from 1, of the edits that matched only without regard to indentation and trailing blanks. */
  readonly tolerant: readonly number[];
}

/** Where an edit applies, and what is written there. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits in their order, each to the result of the former ones. A line end in an edit is the line end of the file.
 * Throws `EditError`, which names the edit; then none is applied.
 */
export function applyEdits(before: string, edits: readonly Edit[]): EditedText {
  const lineEnd = lineEndOf(before);
  let text = before;
  let changes: readonly Change[] = [];
  let replacements = 0;
  const tolerant: number[] = [];
  for (const [index, edit] of edits.entries()) {
    const found = replacementsOf(text, edit, { lineEnd, name: nameOf(index, edits.length) });
    if (found.isTolerant) tolerant.push(index + 1);
    replacements += found.list.length;
    const next = replaced(text, found.list);
    changes = composed(changes, next.changes);
    text = next.text;
  }
  return { text, changes, replacements, tolerant };
}

function replaced(text: string, list: readonly Replacement[]): Pick<EditedText, "text" | "changes"> {
  const pieces: string[] = [];
  const changes: Change[] = [];
  let position = 0;
  let growth = 0;
  for (const { start, end, text: written } of list) {
    pieces.push(text.slice(position, start), written);
    position = end;
    changes.push({
      oldStart: start,
      oldEnd: end,
      newStart: start + growth,
      newEnd: start + growth + written.length,
    });
    growth += written.length - (end - start);
  }
  pieces.push(text.slice(position));
  return { text: pieces.join(""), changes };
}

const BYTE_ORDER_MARK = "\uFEFF";

/** The text of a file, byte-order mark included. Throws `EditError` for bytes that are not UTF-8 text. */
export function editableText(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new EditError("it is a binary file");
  const text = attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  if (text === undefined) throw new EditError("it is not UTF-8 text");
  return text;
}

/** Applies edits to the text of a file and keeps its byte-order mark in place. As `applyEdits`. */
export function editedFile(text: string, edits: readonly Edit[]): EditedText {
  if (!text.startsWith(BYTE_ORDER_MARK)) return applyEdits(text, edits);
  const edited = applyEdits(text.slice(1), edits);
  return {
    ...edited,
    text: BYTE_ORDER_MARK + edited.text,
    changes: edited.changes.map((change) => moved(change, 1)),
  };
}

const nameOf = (index: number, count: number): string => (count === 1 ? "" : `edit ${index + 1} of ${count}: `);

/** The line end of a text's first line; "\n" if it has none. */
function lineEndOf(text: string): "\n" | "\r\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

interface Search {
  readonly lineEnd: "\n" | "\r\n";
  /** Heads messages. */
  readonly name: string;
}

interface FoundReplacements {
  readonly list: readonly Replacement[];
  readonly isTolerant: boolean;
}

function replacementsOf(text: string, edit: Edit, { lineEnd, name }: Search): FoundReplacements {
  if (edit.old === "") throw new EditError(`${name}\`old\` is empty: give the text to replace`);
  if (edit.old === edit.new) throw new EditError(`${name}\`old\` and \`new\` are the same`);
  for (const { old, replacement } of forms(edit, lineEnd)) {
    const positions = positionsOf(text, old, edit.all === true);
    if (positions.length === 0) continue;
    if (positions.length > 1 && edit.all !== true) throw new EditError(name + ambiguousText(text, positions));
    const list = positions.map((start) => ({ start, end: start + old.length, text: replacement }));
    return { list, isTolerant: false };
  }
  const spans = tolerantSpans(text, edit.old, edit.new, lineEnd);
  if (spans.length === 0) throw new EditError(name + missingText(text, edit.old));
  if (spans.length > 1 && edit.all !== true) {
    const starts = spans.map(({ start }) => start);
    throw new EditError(name + ambiguousText(text, starts));
  }
  return { list: spans, isTolerant: true };
}

interface EditForm {
  readonly old: string;
  readonly replacement: string;
}

/** An edit with the line ends of the file, then as it was written, then with plain line ends: a file may have both. */
function forms(edit: Edit, lineEnd: "\n" | "\r\n"): readonly EditForm[] {
  const written = { old: edit.old, replacement: edit.new };
  if (!edit.old.includes("\n")) return [{ old: edit.old, replacement: withLineEnds(edit.new, lineEnd) }];
  const ends = lineEnd === "\n" ? (["\n", "\r\n"] as const) : (["\r\n", "\n"] as const);
  const converted = ends.map((end) => ({
    old: withLineEnds(edit.old, end),
    replacement: withLineEnds(edit.new, end),
  }));
  return [...converted.slice(0, 1), written, ...converted.slice(1)];
}

/** A text with one kind of line end. */
const withLineEnds = (text: string, lineEnd: "\n" | "\r\n"): string => text.replaceAll(/\r?\n/g, lineEnd);
