import type { Theme } from "../../output/theme.ts";

const frameLength = 100;
const secondsShownFrom = 2000;

/** One line with the current activity, animated. */
export function statusLine(activity: string, since: number, theme: Theme): string {
  const elapsed = Math.max(0, performance.now() - since);
  const frame = theme.spinner[Math.floor(elapsed / frameLength) % theme.spinner.length] ?? "";
  const seconds = elapsed < secondsShownFrom ? "" : ` ${theme.separator} ${Math.floor(elapsed / 1000)} s`;
  return `${theme.accent(frame)} ${activity}${theme.dim(`${seconds} ${theme.separator} Esc stops`)}`;
}
