import type { Drawing } from "../screen/screen.ts";
import type { Theme } from "../theme.ts";
import { drawable, wrapped } from "./wrapped.ts";

/** What the user has sent, as it stays on the screen. */
export function echoed(text: string, theme: Theme): Drawing {
  const mark = theme.accent(">");
  const shown = theme.bold(drawable(text));
  return (columns) => {
    const [first = "", ...others] = wrapped(shown, columns, "  ");
    return [first.replace(/^ {2}|^/, `${mark} `), ...others, ""];
  };
}
