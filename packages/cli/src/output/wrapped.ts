import { plainText } from "@mdx-ai/directory/text";

/** A foreign text that may be drawn: plain, and tabs as spaces, since a tab has no width of its own. */
export function drawable(text: string): string {
  return plainText(text).replaceAll("\t", "    ");
}

/** Lines of at most `columns`, each after the indent if that leaves room. The text may be styled; a style continues in the next line. */
export function wrapped(text: string, columns: number, indent = ""): readonly string[] {
  const margin = columns > 2 * indent.length ? indent : "";
  const room = Math.max(1, columns - margin.length);
  return Bun.wrapAnsi(text, room, { hard: true, trim: false })
    .split("\n")
    .map((line) => margin + line);
}
