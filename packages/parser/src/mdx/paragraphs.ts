interface Paragraph {
  readonly paragraph: string;
  /** Of its first character, in UTF-16 code units. */
  readonly offset: number;
}

/** The lines of a text between blank lines, in their order. */
export function* paragraphsOf(text: string): Generator<Paragraph> {
  let start: number | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)) {
    if (line.trim() !== "") start ??= index;
    else if (start !== undefined) {
      yield { paragraph: text.slice(start, index), offset: start };
      start = undefined;
    }
  }
}
