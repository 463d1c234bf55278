/** A text for people in one line: whatever white space it holds becomes single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
