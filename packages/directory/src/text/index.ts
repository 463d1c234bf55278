export { capitalized, contentText, didYouMean, plainLine, plainText, shortened, withNewline } from "./plain-text.ts";
export { jsonText, safeJson, visibleText } from "./visible-text.ts";
