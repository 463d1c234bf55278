/** A text as one word of a command line that a user may copy into a shell; quoted if needed. */
export const shellWord = (text: string): string =>
  /^[\w./@%+:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
