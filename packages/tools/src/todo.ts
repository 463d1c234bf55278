import { isRecord, type JsonObject, listOf, textOf } from "@mdx-ai/base";
import { type ToolResult, textResult } from "@mdx-ai/loop";
import type { ListedTool } from "./listed-tool.ts";

const STATUSES: readonly string[] = ["pending", "active", "done"];

/** What other programs call the statuses. */
const STATUS_NAMES: Readonly<Record<string, string>> = {
  in_progress: "active",
  "in-progress": "active",
  doing: "active",
  completed: "done",
  complete: "done",
  cancelled: "done",
  open: "pending",
  todo: "pending",
};

/** The builtin tool `todo`. The details of its result hold the list, so that user interfaces show it and a session keeps it. */
export const todoTool = (): ListedTool => ({
  name: "todo",
  readOnly: true,
  listing: { group: "coding", counterparts: ["todowrite"] },
  label: { kind: "todo", verb: "todo" },
  description:
    "Keep a list of the steps of a longer task, which the user sees. Give the whole list each time; have one active item, and mark an item as done when it is.",
  parameters: {
    type: "object",
    properties: {
      items: {
        type: "array",
        maxItems: 100,
        items: {
          type: "object",
          properties: { text: { type: "string", minLength: 1 }, status: { enum: STATUSES } },
          required: ["text", "status"],
        },
      },
    },
    required: ["items"],
  },
  aliases: ["TodoWrite", "todo_write", "update_todos", "update_plan", "write_todos"],
  parameterHabits: {
    names: {
      items: ["todos", "tasks", "list", "plan"],
      "items[].text": ["content", "title", "task", "description", "step"],
    },
    ignored: { explanation: "any", "items[].id": "any", "items[].activeForm": "any", "items[].priority": "any" },
  },
  example: { items: [{ text: "Read the tests", status: "active" }] },
  prepareArguments: usualStatuses,
  execute: async ({ items }) => todoResult(listOf(items).filter(isRecord)),
});

/** The arguments with the statuses of this tool. */
function usualStatuses(args: JsonObject): JsonObject {
  const renamed = Object.entries(args).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value];
    return [name, value.map((item) => (isRecord(item) ? { ...item, ...usualStatus(item["status"]) } : item))];
  });
  return Object.fromEntries(renamed);
}

function usualStatus(status: unknown): JsonObject {
  const usual = typeof status === "string" ? STATUS_NAMES[status.toLowerCase()] : undefined;
  return usual === undefined ? {} : { status: usual };
}

function todoResult(items: readonly Readonly<Record<string, unknown>>[]): ToolResult {
  const todo = items.map((item) => ({ text: textOf(item["text"]), status: textOf(item["status"]) }));
  const count = (status: string): number => todo.filter((item) => item.status === status).length;
  const counts = STATUSES.map((status) => `${count(status)} ${status}`).join(", ");
  const note = count("active") > 1 ? ["[several items are active: one at a time is clearer]"] : [];
  return { ...textResult([`[${counts}]`, ...note].join("\n")), details: { todo } };
}
