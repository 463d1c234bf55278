import { visibleText } from "@mdx-ai/parser/visible-text";

/** A line of a comparison, as `visibleText` shows it; blanks at its end are dots. */
export const dottedLine = (line: string): string =>
  visibleText(line).replace(/ +$/, (blanks) => "·".repeat(blanks.length));
