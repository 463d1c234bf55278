import { secretForms } from "./secret-pattern.ts";

/** A shorter text is not a key and is kept. */
const MIN_LENGTH = 8;

/** A piece of a key of this length reveals it. */
const MAX_PIECE = 16;

/**
 * A text of a server without anything that shows a key: the key, each longer piece of it, and both as servers quote them:
 * escaped as in a URL, in JSON or on a page, or in base64, alone or with something before it. `[key]` replaces it. Linear in the length
 * of the text.
 */
export function redactKey(text: string, key: string): string {
  if (key.length < MIN_LENGTH) return text;
  const size = Math.min(MAX_PIECE, key.length);
  const traces = new Set(secretForms(key).flatMap((form) => piecesOf(form, size)));
  let shown = "";
  let shownUpTo = 0;
  // If two pieces overlap, one mark hides both.
  let hiddenUpTo = -1;
  for (const start of startsOf(text, traces, size)) {
    if (start > hiddenUpTo) {
      shown += `${text.slice(shownUpTo, start)}[key]`;
    }
    hiddenUpTo = start + size;
    shownUpTo = hiddenUpTo;
  }
  return shown + text.slice(shownUpTo);
}

/** Hexadecimal digits and names of headers change their case on the way. */
function* startsOf(text: string, traces: ReadonlySet<string>, size: number): Iterable<number> {
  for (let start = 0; start + size <= text.length; start++) {
    if (traces.has(text.slice(start, start + size).toLowerCase())) yield start;
  }
}

function piecesOf(form: string, size: number): readonly string[] {
  const starts = Array.from({ length: Math.max(0, form.length - size + 1) }, (_, start) => start);
  return starts.map((start) => form.slice(start, start + size).toLowerCase());
}

/** The keys that a text of a server may quote, and a text that may always be shown. */
export interface GuardedKeys {
  readonly secrets: readonly string[];
  /** The name of a model, which may look like a key. */
  readonly name: string;
}

/** How the keys of well-known vendors begin, and what precedes a key in a header. */
const MARKED_KEYS = /\b(?:sk|pk|rk|gsk|xai|ghp)[-_][^\s"',;]{6,}|\b(?:Bearer|Basic)\s+[^\s"',;]{6,}/gi;

/** A word as long as a key. */
const LONG_WORDS = /[A-Za-z0-9_+~-]{16,}/g;

/**
 * A text of a server without these keys, and without what looks like one: the key of a model that code hands in is not known, so its form
 * decides. Linear in the length of the text.
 */
export function redactKeys(text: string, { secrets, name }: GuardedKeys): string {
  return secrets
    .reduce(redactKey, text)
    .replace(MARKED_KEYS, "[key]")
    .replace(LONG_WORDS, (word) => (word !== name && /\d/.test(word) && /[A-Za-z]/.test(word) ? "[…]" : word));
}
