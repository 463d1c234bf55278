import { secretForms } from "./secret-pattern.ts";

/** A shorter text is not a key and is kept. */
const MIN_LENGTH = 8;

/** A piece of a key of this length counts as a leak. */
const MAX_PIECE = 16;

/**
 * Replaces a key in a server's text by `[key]`: the key and each longer piece of it, plain or as servers quote them: escaped as
 * in a URL, in JSON or on a page, or in base64, alone or after other bytes. Linear in the length of the text.
 */
export function redactKey(text: string, key: string): string {
  if (key.length < MIN_LENGTH) return text;
  const size = Math.min(MAX_PIECE, key.length);
  const traces = new Set(secretForms(key).flatMap((form) => piecesOf(form, size)));
  let shown = "";
  let shownUpTo = 0;
  // One mark replaces pieces that overlap.
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

/** Hexadecimal digits and header names may change their case in transit. */
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

/** The prefixes of keys of known vendors, and the text before a key in a header. */
const MARKED_KEYS = /\b(?:sk|pk|rk|gsk|xai|ghp)[-_][^\s"',;]{6,}|\b(?:Bearer|Basic)\s+[^\s"',;]{6,}/gi;

/** A word as long as a key. */
const LONG_WORDS = /[A-Za-z0-9_+~-]{16,}/g;

/**
 * Replaces these keys in a server's text, and anything that looks like a key: the keys of a model that code passes in are
 * unknown. Linear in the length of the text.
 */
export function redactKeys(text: string, { secrets, name }: GuardedKeys): string {
  return secrets
    .reduce(redactKey, text)
    .replace(MARKED_KEYS, "[key]")
    .replace(LONG_WORDS, (word) => (word !== name && /\d/.test(word) && /[A-Za-z]/.test(word) ? "[…]" : word));
}
