/** C1 controls, DEL, what reorders text and what hides in it: harmless to a JSON parser, not to a terminal that shows the JSON. */
const UNSAFE =
  /[\u{7f}-\u{9f}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/** JSON of the same value that is safe for a terminal: characters that JSON permits are escaped too. */
export function jsonText(value: unknown, indent?: number): string {
  return safeJson(JSON.stringify(value, undefined, indent));
}

/** The same for a text that is already JSON. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, escaped);
}

/** One beyond the basic plane has two escapes. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
