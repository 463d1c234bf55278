import type { Theme } from "../../output/theme.ts";
import { drawable, wrapped } from "../../output/wrapped.ts";

/** The lines of a model's Markdown, without blank lines at its ends. */
export function renderMarkdown(markdown: string, columns: number, theme: Theme): readonly string[] {
  const rendered = Bun.markdown.ansi(drawable(markdown), { columns, colors: theme.rich });
  // Tables and code are not wrapped by the renderer.
  return wrapped(rendered.replace(/^\n+|\s+$/g, ""), columns);
}
