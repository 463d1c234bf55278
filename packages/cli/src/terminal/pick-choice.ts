import { EXIT_CODE } from "../failures/program-error.ts";
import { wrapped } from "../output/columns.ts";
import type { Theme } from "../output/theme.ts";
import { watchWaysOut } from "./interrupts.ts";
import { type Choice, ChoiceList } from "./screen/choice-list.ts";
import { openScreen } from "./screen/open-screen.ts";
import type { Drawing, ScreenKey } from "./screen/screen.ts";

/** The user's choice, by its position; or the exit code of a user who left without one. */
export type Picked =
  | { readonly type: "picked"; readonly index: number }
  | { readonly type: "left"; readonly exitCode: number };

export interface PickOptions {
  /** One line above the list. */
  readonly question: string;
  /** Not empty. */
  readonly choices: readonly Choice[];
  readonly theme: Theme;
}

/** The lines beside the list: the question, the keys, a blank line before each, and the input. */
const OTHER_ROWS = 5;

/**
 * Lets the user choose one of a list on the terminal, which must be interactive: the arrow keys move, typing filters, Enter
 * chooses, Esc, Ctrl+C and Ctrl+D leave. The terminal is as before when it resolves, and nothing of the list remains on it.
 */
export async function pickChoice({ question, choices, theme }: PickOptions): Promise<Picked> {
  const list = new ChoiceList(choices, theme);
  const answer = Promise.withResolvers<Picked>();
  const leave = (exitCode: number): void => answer.resolve({ type: "left", exitCode });
  const live: Drawing = (columns) => {
    list.filter(screen.text());
    const keys = theme.dim("Up and Down move, typing filters, Enter opens, Esc leaves");
    const rows = Math.max(1, screen.rows() - OTHER_ROWS);
    return [...wrapped(theme.bold(question), columns), ...list.draw(columns, rows), "", ...wrapped(keys, columns)];
  };
  const onKey = (key: ScreenKey): void => {
    if (key === "clear") screen.clear();
    else if (key === "interrupt") leave(EXIT_CODE.interrupted);
    else if (key === "mode") return;
    else if (key !== "send") leave(EXIT_CODE.done);
    else if (list.selected !== undefined) answer.resolve({ type: "picked", index: list.selected });
  };
  const onMove = (entries: number): void => {
    list.move(entries);
    screen.refresh();
  };
  const screen = openScreen({ live, mark: theme.accent("> "), onKey, onTyped: () => false, onMove });
  const unwatch = watchWaysOut({ leave, restore: () => screen.close() });
  try {
    return await answer.promise;
  } finally {
    await screen.drain();
    unwatch();
  }
}
