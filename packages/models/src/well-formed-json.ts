/** `JSON.stringify` escapes halves of surrogate pairs, and of all `\ud…` that it writes only those; a `\\` before is text. */
const halfPair = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON without halves of surrogate pairs, which a cut through an emoji leaves and servers refuse. They are
 * rare, so first a look.
 */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  return json.includes("\\ud") ? json.replace(halfPair, "$1\ufffd") : json;
}
