/** C1 controls, DEL and what reorders text: harmless to a JSON parser, not to a terminal that shows the JSON. */
const UNSAFE = /[\u{7f}-\u{9f}\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;

/** JSON that means the same and does nothing to a terminal: what JSON itself leaves alone is escaped too. */
export function jsonText(value: unknown, indent?: number): string {
  return safeJson(JSON.stringify(value, undefined, indent));
}

/** The same of a text that is JSON already. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
