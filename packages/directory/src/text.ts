import type { ToolResult } from "@mdx-ai/loop";

const start = String.raw`\u001b`;
/** OSC, DCS, SOS, PM and APC sequences. A match never crosses a line end, so that an unterminated sequence hides no further line. */
const strings = String.raw`(?:${start}[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\p{Cc}]*(?:\u0007|${start}\\|\u009c)`;
const sequences = String.raw`(?:${start}\[|\u009b)[0-?]*[ -\/]*[@-~]?`;
const escapes = String.raw`${start}[ -\/]*[0-~]?`;
const returns = String.raw`\r\n?`;
/**
 * All control characters except newline and tab, characters that reverse the reading order, and invisible characters:
 * they can disguise a text. Joiners and the marks of right-to-left text stay.
 */
const characters = String.raw`(?![\n\t])\p{Cc}|[\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]`;
const unwanted = new RegExp(`${strings}|${sequences}|${escapes}|${returns}|${characters}`, "gu");
const suspicious = new RegExp(characters, "u");

/**
 * Removes everything that a terminal interprets from a text of models, tools or files: escape sequences, control characters except
 * newline and tab, bidirectional overrides and invisible characters. A carriage return becomes a newline, so that no text is overwritten.
 * The result is well-formed. Linear in the length.
 */
export function plainText(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!suspicious.test(wellFormed)) return wellFormed;
  return wellFormed.replace(unwanted, (match) => (match.startsWith("\r") ? "\n" : ""));
}

/** The same on one line: every run of white space becomes a blank. */
export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, " ").trim();

/** The text with a final newline, unless it is empty. */
export const withNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** The text of a message or a result, with each block on separate lines and images as their type in brackets. */
export const contentText = (content: ToolResult["content"]): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n");

/** Capitalizes the first letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** C1 controls, DEL, reordering and invisible characters: harmless to a JSON parser, but not to a terminal that shows the JSON. */
const UNSAFE =
  /[\u{7f}-\u{9f}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/** JSON that is safe for a terminal: also escapes dangerous characters that JSON permits. */
export function jsonText(value: unknown, indent?: number): string {
  return safeJson(JSON.stringify(value, undefined, indent));
}

/** The same for a text that is already JSON. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, escaped);
}

/** A character beyond the basic plane has two escapes. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
