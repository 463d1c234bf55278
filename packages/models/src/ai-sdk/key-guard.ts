import { blotOut } from "../http/key-traces.ts";

/** Texts that a person must not see, and one that may be seen in any case. */
export interface Guarded {
  readonly secrets: readonly string[];
  /** The model's name, which may look like a key. */
  readonly name: string;
}

/** How the keys of well-known vendors begin, and what stands before a key in a header. */
const markedKeys = /\b(?:sk|pk|rk|gsk|xai|ghp)[-_][^\s"',;]{6,}|\b(?:Bearer|Basic)\s+[^\s"',;]{6,}/gi;

/** A word as long as a key. */
const longWords = /[A-Za-z0-9_+~-]{16,}/g;

/**
 * A server's text with all blotted out that is a secret or looks like a key. Servers quote keys, and the key of a model
 * that was handed in by code is known to nobody here, hence the looks.
 */
export function withoutKeys(text: string, { secrets, name }: Guarded): string {
  const blotted = secrets.reduce(blotOut, text);
  return blotted
    .replace(markedKeys, "[key]")
    .replace(longWords, (word) => (word !== name && /\d/.test(word) && /[A-Za-z]/.test(word) ? "[…]" : word));
}
