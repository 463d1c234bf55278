export { jsonText, safeJson } from "./json-text.ts";
export { capitalized, contentText, plainLine, plainText, withNewline } from "./plain-text.ts";
