import { drawable, wrapped } from "../../output/columns.ts";
import { counted } from "../../output/figures.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing } from "../screen/screen.ts";

/** Lines of what was said elsewhere, such as before a crash, that are shown. */
const SHOWN = 10;

/** What the user said, as it stays on the screen. */
export function echoed(text: string, theme: Theme): Drawing {
  const mark = theme.accent(">");
  const shown = theme.bold(drawable(text));
  return (columns) => {
    const [first = "", ...others] = wrapped(shown, columns, "  ");
    return [first.replace(/^ {2}|^/, `${mark} `), ...others, ""];
  };
}

/** The same of what was not typed on this screen, which may be very long. */
export function recalled(text: string, theme: Theme): Drawing {
  const lines = text.trim().split("\n");
  const more = lines.length - SHOWN;
  const rest = more > 0 ? [`${theme.ellipsis} ${counted(more, "more line")}`] : [];
  return echoed([...lines.slice(0, SHOWN), ...rest].join("\n"), theme);
}

/** What a module or the heartbeat said, in a line. */
export const inBackground = (text: string, theme: Theme): Drawing =>
  lineOf(theme.dim(`(in the background) ${firstLine(text, theme)}`));

/** What the user said and the agent does not know yet, in a line each; `note` says what happens to it. */
export function waitingLine(text: string, note: string, theme: Theme): (columns: number) => readonly string[] {
  const aside = note === "" ? "" : theme.dim(` (${note})`);
  return (columns) => wrapped(`${theme.accent(">")} ${theme.dim(firstLine(text, theme))}${aside}`, columns);
}

function firstLine(text: string, theme: Theme): string {
  const [first = "", ...others] = drawable(text).trim().split("\n");
  return others.length > 0 ? `${first} ${theme.ellipsis} ${counted(others.length, "more line")}` : first;
}

const lineOf =
  (line: string): Drawing =>
  (columns) => [...wrapped(line, columns), ""];
