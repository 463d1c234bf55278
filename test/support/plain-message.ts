/** What the message of a diagnostic is: one line that begins as a sentence goes on after a colon, and has no full stop. */
export const PLAIN_MESSAGE: RegExp = /^(?![A-Z][a-z ])\S[^\n]*[^\n.\s]$/;
