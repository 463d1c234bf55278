/** The contents of all fenced blocks of a language, in order. Handles fences of three backticks or more, not indented. */
export function codeBlocks(markdown: string, language: string): readonly string[] {
  const blocks = markdown.matchAll(/^(`{3,})(\w+)\n(.*?)^\1$/gms);
  return [...blocks].flatMap(([, , found, text = ""]) => (found === language ? [text] : []));
}

/** The rows of the table that has this text in its head, without the head; each row as its cells. */
export function tableRows(markdown: string, head: string): readonly (readonly string[])[] {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|") && line.includes(head));
  const rows = start === -1 ? [] : lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What stands between backticks, in order. */
export const codeSpans = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
