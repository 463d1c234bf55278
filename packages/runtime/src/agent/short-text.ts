/** So many characters of a text stand in a log where the whole text stands elsewhere. */
const MAX_LENGTH = 200;

/** The beginning of a text for a log. */
export const shortText = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
