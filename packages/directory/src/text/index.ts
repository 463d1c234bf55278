export { contentText } from "./content-text.ts";
export { didYouMean } from "./did-you-mean.ts";
export { jsonText, safeJson } from "./json-text.ts";
export { plainLine, plainText, shortened, withNewline } from "./plain-text.ts";
export { visibleText } from "./visible-text.ts";
