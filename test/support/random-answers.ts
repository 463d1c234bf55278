import fc from "fast-check";

/** An answer as Markdown, and what a reader sees of it: letters and digits alone, in order. */
export interface RandomAnswer {
  readonly markdown: string;
  readonly seen: string;
}

const word = fc.stringMatching(/^[a-z]{1,9}$/);
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((all) => all.join(" "));
const lineCount = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 15, max: 60 }));
const lines = (most: number) =>
  lineCount.chain((count) => fc.array(words(most), { minLength: count, maxLength: count }));

const blocks: readonly fc.Arbitrary<RandomAnswer>[] = [
  words(200).map((text) => ({ markdown: text, seen: lettersOf(text) })),
  fc.tuple(lines(6), fc.constantFrom("", "ts", "python")).map(([code, language]) => ({
    markdown: `\`\`\`${language}\n${code.join("\n")}\n\`\`\``,
    seen: lettersOf(code.join("")),
  })),
  lines(12).map((items) => ({
    markdown: items.map((item, at) => `${at % 3 === 2 ? "  " : ""}- ${item}`).join("\n"),
    seen: lettersOf(items.join("")),
  })),
  lines(12).map((items) => ({
    markdown: items.map((item, at) => `${at + 1}. **${item}**`).join("\n"),
    seen: lettersOf(items.map((item, at) => `${at + 1} ${item}`).join("")),
  })),
  lines(2).map((rows) => ({
    markdown: ["| one | two |", "| --- | --- |", ...rows.map((row, at) => `| ${at} | ${row} |`)].join("\n"),
    seen: lettersOf(`one two ${rows.map((row, at) => `${at} ${row}`).join("")}`),
  })),
  words(6).map((text) => ({ markdown: `## ${text}`, seen: lettersOf(text) })),
];

/** Answers of one to four blocks, many of them about as tall as a terminal. */
export const randomAnswer: fc.Arbitrary<RandomAnswer> = fc
  .array(fc.oneof(...blocks), { minLength: 1, maxLength: 4 })
  .map((all) => ({
    markdown: all.map(({ markdown }) => markdown).join("\n\n***\n\n"),
    seen: all.map(({ seen }) => seen).join(""),
  }));

/** A text without blanks, marks and frames: what no wrapping changes. */
export const lettersOf = (text: string): string => text.replace(/[^a-z0-9]/gi, "");
