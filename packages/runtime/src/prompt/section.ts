/** A part of the system prompt with a heading; empty where it says nothing. */
export function section(title: string, body: string): string {
  return body.trim() === "" ? "" : `## ${title}\n\n${body.trim()}`;
}

/** Texts as a list of Markdown. Further lines of an item are indented, so that they stay within it. */
export function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item.trim().replaceAll(/\r\n?|\n/g, "\n  ")}`).join("\n");
}
