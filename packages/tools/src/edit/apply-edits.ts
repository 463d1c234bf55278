import { isUtf8 } from "node:buffer";
import { isRecord } from "@mdx-ai/base";
import { type Change, composed, moved } from "./changes.ts";
import { EditError } from "./edit-error.ts";
import { ambiguousText, missingText } from "./edit-problems.ts";
import { positionsOf } from "./find-text.ts";
import { foldedText } from "./lookalikes.ts";
import { alikeSpans, type TolerantSpan, tolerantSpans } from "./tolerant-match.ts";

/** One replacement of a text in a file. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  /** Whether to replace every occurrence instead of the only one. */
  readonly all?: boolean | undefined;
}

/** The edits of a call's arguments. */
export const editsOf = (value: unknown): readonly Edit[] =>
  (Array.isArray(value) ? value : []).filter(isRecord).map((edit) => ({
    old: String(edit["old"]),
    new: String(edit["new"]),
    all: edit["all"] === true,
  }));

/** A text after all its edits, in UTF-8. */
export interface EditedText {
  readonly bytes: Buffer;
  /** The replaced ranges, in text order. */
  readonly changes: readonly Change[];
  readonly replacements: number;
  /** For each approximate match, a sentence about the ignored differences, with the edit's number. */
  readonly notes: readonly string[];
}

/** Where an edit applies, and its replacement text. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly written: Uint8Array;
}

/** Limits of one call, which blocks this thread. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REPLACEMENTS = 500_000;
/**
 * The most bytes that all edits together search and copy, which takes some seconds; tracking a change costs as much as a few of
 * them.
 */
const MAX_WORK = 1_000_000_000;
const WORK_OF_CHANGE = 50;

/**
 * Applies edits to a UTF-8 text in order, each to the result of the previous ones. A line end in an edit matches the file's line
 * end. Works on bytes, which takes half the time. Throws `EditError`, which names the edit; then none is applied.
 */
export function applyEdits(before: Buffer, edits: readonly Edit[]): EditedText {
  const lineEnd = lineEndOf(before);
  let bytes = before;
  let changes: readonly Change[] = [];
  let replacements = 0;
  const notes: string[] = [];
  let work = 0;
  for (const [index, edit] of edits.entries()) {
    work += bytes.length + WORK_OF_CHANGE * changes.length;
    if (work > MAX_WORK) throw new EditError("there are too many edits for its size: edit it in several calls");
    const found = replacementsOf(bytes, edit, { lineEnd, name: nameOf(index, edits.length) });
    if (found.overlooked !== undefined) notes.push(`Edit ${index + 1} ${found.overlooked}`);
    replacements += found.list.length;
    refuseLarge(bytes, found.list);
    const next = replaced(bytes, found.list);
    changes = composed(changes, next.changes);
    bytes = next.bytes;
  }
  return { bytes, changes, replacements, notes };
}

/** Throws `EditError` if the result of replacements is too large to be built. */
function refuseLarge(bytes: Buffer, list: readonly Replacement[]): void {
  const growth = list.reduce((sum, { start, end, written }) => sum + written.length - (end - start), 0);
  if (list.length > MAX_REPLACEMENTS || bytes.length + growth > MAX_BYTES) {
    throw new EditError("the result would be too large: edit it with a command");
  }
}

function replaced(bytes: Buffer, list: readonly Replacement[]): Pick<EditedText, "bytes" | "changes"> {
  const pieces: Uint8Array[] = [];
  const changes: Change[] = [];
  let position = 0;
  let growth = 0;
  for (const { start, end, written } of list) {
    pieces.push(bytes.subarray(position, start), written);
    position = end;
    changes.push({
      oldStart: start,
      oldEnd: end,
      newStart: start + growth,
      newEnd: start + growth + written.length,
    });
    growth += written.length - (end - start);
  }
  pieces.push(bytes.subarray(position));
  return { bytes: Buffer.concat(pieces), changes };
}

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Throws `EditError` for bytes that are not UTF-8 text. */
export function requireText(bytes: Uint8Array): void {
  if (bytes.includes(0)) throw new EditError("it is a binary file");
  if (!isUtf8(bytes)) throw new EditError("it is not UTF-8 text");
}

/** Applies edits to the content of a file and keeps its byte-order mark in place. Throws as `applyEdits` does. */
export function editedFile(content: Buffer, edits: readonly Edit[]): EditedText {
  const { length } = BYTE_ORDER_MARK;
  if (!content.subarray(0, length).equals(BYTE_ORDER_MARK)) return applyEdits(content, edits);
  const edited = applyEdits(content.subarray(length), edits);
  return {
    ...edited,
    bytes: Buffer.concat([BYTE_ORDER_MARK, edited.bytes]),
    changes: edited.changes.map((change) => moved(change, length)),
  };
}

const nameOf = (index: number, count: number): string => (count === 1 ? "" : `edit ${index + 1} of ${count}: `);

const RETURN = 0x0d;

/** The line end of a text's first line; "\n" if it has none. */
function lineEndOf(bytes: Buffer): "\n" | "\r\n" {
  const first = bytes.indexOf("\n");
  return first > 0 && bytes[first - 1] === RETURN ? "\r\n" : "\n";
}

interface Search {
  readonly lineEnd: "\n" | "\r\n";
  /** The start of a message about an edit. */
  readonly name: string;
}

interface FoundReplacements {
  readonly list: readonly Replacement[];
  /** The difference from `old`, as a predicate without a subject; undefined if there is none. */
  readonly overlooked?: string | undefined;
}

function replacementsOf(bytes: Buffer, edit: Edit, { lineEnd, name }: Search): FoundReplacements {
  if (edit.old === "") throw new EditError(`${name}\`old\` is empty: give the text to replace`);
  if (edit.old === edit.new) throw new EditError(`${name}\`old\` and \`new\` are the same`);
  for (const forms of formsOf(edit, lineEnd)) {
    const list = forms.flatMap((form) => matchesOf(bytes, form, edit.all === true));
    if (list.length === 0) continue;
    if (list.length > 1 && edit.all !== true) throw new EditError(name + ambiguousText(bytes, startsOf(list)));
    return { list: forms.length > 1 ? disjoint(list) : list };
  }
  const spans = looseSpans(bytes, edit, { lineEnd, name });
  try {
    const list = spans.map(({ start, end, written }) => ({ start, end, written: Buffer.from(written()) }));
    return { list: disjoint(list), overlooked: spans[0]?.overlooked() };
  } catch (error) {
    throw error instanceof EditError ? new EditError(name + error.message, { cause: error }) : error;
  }
}

/** Approximate matches of a text that has no exact match, with as few ignored differences as possible. */
function looseSpans(bytes: Buffer, edit: Edit, { lineEnd, name }: Search): readonly TolerantSpan[] {
  const text = bytes.toString();
  const checked = (spans: readonly TolerantSpan[]): readonly TolerantSpan[] | undefined => {
    if (spans.length > 1 && edit.all !== true) throw new EditError(name + ambiguousText(bytes, startsOf(spans)));
    return spans.length > 0 ? spans : undefined;
  };
  const found = checked(tolerantSpans({ text, lineEnd }, edit));
  if (found !== undefined) return found;
  const searched = { text, lineEnd, alike: foldedText(text) };
  const alike = checked(alikeSpans(searched, edit)) ?? checked(tolerantSpans(searched, edit));
  if (alike !== undefined) return alike;
  throw new EditError(name + missingText(text, edit.old));
}

interface EditForm {
  readonly old: string;
  readonly replacement: string;
}

/** An edit with each kind of line end, since a file may have both; then as it was written. Forms of one list apply together. */
function formsOf(edit: Edit, lineEnd: "\n" | "\r\n"): readonly (readonly EditForm[])[] {
  if (!edit.old.includes("\n")) return [[{ old: edit.old, replacement: withLineEnds(edit.new, lineEnd) }]];
  const converted = (["\n", "\r\n"] as const).map((end) => ({
    old: withLineEnds(edit.old, end),
    replacement: withLineEnds(edit.new, end),
  }));
  return [converted, [{ old: edit.old, replacement: edit.new }]];
}

/** The positions of a form of an edit in a file. */
function matchesOf(bytes: Buffer, { old, replacement }: EditForm, isDisjoint: boolean): readonly Replacement[] {
  // A lone surrogate occurs in no file, but would be encoded as another character.
  if (!old.isWellFormed()) return [];
  const wanted = Buffer.from(old);
  const written = Buffer.from(replacement);
  // The "\n" in "\r\n" is not a match.
  const isWhole = (start: number): boolean => !old.startsWith("\n") || bytes[start - 1] !== RETURN;
  return positionsOf(bytes, wanted, isDisjoint)
    .filter(isWhole)
    .map((start) => ({ start, end: start + wanted.length, written }));
}

const startsOf = (list: readonly Pick<Replacement, "start">[]): readonly number[] =>
  list.map(({ start }) => start).sort((one, other) => one - other);

/** Replacements in file order, without overlapping ones. */
function disjoint(list: readonly Replacement[]): readonly Replacement[] {
  let end = 0;
  return list
    .toSorted((one, other) => one.start - other.start)
    .filter((replacement) => {
      const isBehind = replacement.start >= end;
      if (isBehind) end = replacement.end;
      return isBehind;
    });
}

/** A text with one kind of line end. */
const withLineEnds = (text: string, lineEnd: "\n" | "\r\n"): string => text.replaceAll(/\r?\n/g, lineEnd);
