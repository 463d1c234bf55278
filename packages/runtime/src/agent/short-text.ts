import { noRedactor, type Redactor } from "../redaction/redactor.ts";

/** The most characters of a text in a log, if the whole text is elsewhere. */
const MAX_LENGTH = 200;

/** Characters that are redacted before the cut: the beginning of a long key must not pass because its end is cut off. */
const LOOKED_AT = 4096;

/** The beginning of a text for a log. */
export function shortText(text: string, redactor: Redactor = noRedactor): string {
  if (text.length <= MAX_LENGTH) return redactor.text(text);
  return `${redactor.text(text.slice(0, LOOKED_AT)).slice(0, MAX_LENGTH)}…`;
}
