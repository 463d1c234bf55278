/** What the message of a diagnostic is: one line that begins as a sentence goes on after a colon, and has no full stop. */
export const PLAIN_MESSAGE: RegExp = /^(?![A-Z][a-z ])\S[^\n]*[^\n.\s]$/;

/** Words that no message or hint should have: the field has plainer ones. */
export const ODD_WORDS: RegExp = /\b(?:mend(?:s|ed)?|remed(?:y|ies)|told|tells|anew|heeds|by now)\b|\btake \S+ away\b/;
