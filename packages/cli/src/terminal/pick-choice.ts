import { EXIT_CODE } from "../failures/program-error.ts";
import type { Theme } from "../output/theme.ts";
import { watchWaysOut } from "./interrupts.ts";
import { type ListQuestion, OpenList } from "./open-list.ts";
import { openScreen } from "./screen/open-screen.ts";
import type { ScreenKey } from "./screen/screen.ts";

/** The user's choice, by its position; or the exit code of a user who left without one. */
export type Picked =
  | { readonly type: "picked"; readonly index: number }
  | { readonly type: "left"; readonly exitCode: number };

export interface PickOptions extends Omit<ListQuestion, "verb"> {
  readonly theme: Theme;
}

/**
 * Lets the user choose one of a list on the terminal, which must be interactive: the arrow keys move, typing filters, Enter
 * chooses, Esc, Ctrl+C and Ctrl+D leave. The terminal is as before when it resolves, and nothing of the list remains on it.
 */
export async function pickChoice({ theme, ...question }: PickOptions): Promise<Picked> {
  const list = new OpenList({ ...question, verb: "opens" }, theme);
  const answer = Promise.withResolvers<Picked>();
  const leave = (exitCode: number): void => answer.resolve({ type: "left", exitCode });
  const onKey = (key: ScreenKey): void => {
    if (key === "clear") screen.clear();
    else if (key === "interrupt") leave(EXIT_CODE.interrupted);
    else if (key === "mode") return;
    else if (key !== "send") leave(EXIT_CODE.done);
    else if (list.selected !== undefined) answer.resolve({ type: "picked", index: list.selected });
  };
  const onMove = (entries: number): boolean => {
    list.move(entries);
    screen.refresh();
    return true;
  };
  const screen = openScreen({
    live: (columns) => list.draw(columns, screen),
    mark: theme.accent("> "),
    onKey,
    onTyped: () => false,
    onMove,
  });
  const unwatch = watchWaysOut({ leave, restore: () => screen.close() });
  try {
    return await answer.promise;
  } finally {
    await screen.drain();
    unwatch();
  }
}
