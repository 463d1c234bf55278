import { plainLine } from "@mdx-ai/directory/text";
import { type TodoItem, todoIn } from "@mdx-ai/directory/views/todo-items";
import type { AgentEvent } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { cutEnd } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";

/** The most rows above the input; `/todo` shows all items. */
const MAX_ROWS = 6;
/** In a low window: an item, and how many more there are. */
const MIN_ROWS = 2;

/** The list that the model keeps, from the results of its tools. */
export class TodoList {
  #items: readonly TodoItem[] = [];

  heard(event: AgentEvent): void {
    if (event.type === "tool_execution_end") this.#items = todoIn(event.result.details) ?? this.#items;
  }

  /** Takes the list of a session that continues. */
  restore(messages: readonly Message[]): void {
    this.#items = lastList(messages);
  }

  /**
   * The rows above the input, around the first item that is not done; none if all are done. At most a quarter of the terminal's rows, so
   * that the input and what is above stay in sight.
   */
  draw({ columns, rows }: { readonly columns: number; readonly rows: number }, theme: Theme): readonly string[] {
    const open = this.#items.findIndex(({ status }) => status !== "done");
    if (open === -1) return [];
    const height = Math.max(MIN_ROWS, Math.min(MAX_ROWS, Math.floor(rows / 4)));
    const before = height > MIN_ROWS ? open - 1 : open;
    const from = Math.max(0, Math.min(before, this.#items.length - height));
    const shown = this.#items.slice(from, from + height).map((item) => itemRow(item, columns, theme));
    const more = this.#items.length - from - height;
    return more > 0 ? [...shown.slice(0, -1), theme.dim(`  ${theme.ellipsis} ${more + 1} more`)] : shown;
  }
}

/** The last list in a session's messages; empty if there is none. */
function lastList(messages: readonly Message[]): readonly TodoItem[] {
  const lists = messages.flatMap((message) => {
    const list = message.role === "toolResult" ? todoIn(message.details) : undefined;
    return list === undefined ? [] : [list];
  });
  return lists.at(-1) ?? [];
}

const itemText = ({ text, status }: TodoItem): string => `[${SIGNS[status] ?? " "}] ${plainLine(text)}`;

function itemRow(item: TodoItem, columns: number, theme: Theme): string {
  const { status } = item;
  const line = cutEnd(itemText(item), columns, theme.ellipsis);
  return status === "done" ? theme.dim(line) : status === "active" ? theme.bold(line) : line;
}

const SIGNS: Readonly<Record<string, string>> = { done: "x", active: ">" };

/** The answer of `/todo`. */
export function todoText(messages: readonly Message[]): string {
  const items = lastList(messages);
  if (items.length === 0) return "The model keeps no list.";
  return items.map(itemText).join("\n");
}
