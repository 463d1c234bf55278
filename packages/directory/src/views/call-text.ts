import { type JsonObject, visibleText } from "@mdx-ai/base";
import type { ToolLabel } from "@mdx-ai/loop";
import { todoItems } from "./todo-items.ts";

/** The kind of call, which decides how its result is shown. */
type CallKind = ToolLabel["kind"] | "other";

/** A tool call in the user's words: `$ npm test`, `read a.ts:10-40`. */
export interface CallText {
  readonly kind: CallKind;
  /** "$", "read", … or the tool's name. */
  readonly verb: string;
  /** What the verb applies to: the lines of a command, else one line. Safe for a terminal. Not empty. */
  readonly lines: readonly [string, ...string[]];
}

type Redact = (text: string) => string;

/** A call as in `tool_execution_start`. */
interface StartedCall {
  readonly toolName: string;
  readonly args: JsonObject;
  readonly label?: ToolLabel;
}

/** Describes a call by its label and arguments. Without a label, the arguments are shown as JSON. */
export function callText({ toolName, args, label }: StartedCall, redact: Redact = (text) => text): CallText {
  const words = label && wordsOf(label, args, redact);
  return words ?? { kind: "other", verb: visibleWord(toolName), lines: [argumentsText(args, redact)] };
}

/** The arguments as one line of JSON; "" if there are none. */
function argumentsText(args: JsonObject, redact: Redact): string {
  return Object.keys(args).length === 0 ? "" : visibleText(redact(JSON.stringify(args)));
}

function wordsOf({ kind, verb }: ToolLabel, args: JsonObject, redact: Redact): CallText | undefined {
  const text = subjectOf(kind, args);
  if (text === undefined) return undefined;
  const [first = "", ...others] = redact(text).split("\n");
  const lines = kind === "command" ? others : [];
  const whole = kind === "command" ? first : [first, ...others].join("\n");
  return { kind, verb: visibleWord(verb), lines: [visibleWord(whole), ...lines.map(visibleWord)] };
}

function subjectOf(kind: ToolLabel["kind"], args: JsonObject): string | undefined {
  switch (kind) {
    case "command":
      return textOf(args["command"] ?? args["cmd"]);
    case "write":
    case "edit":
      return textOf(args["path"]);
    case "read":
      return rangeText(textOf(args["path"]), args["offset"], args["limit"]);
    case "search":
      return searchText(args);
    case "list":
      return listText(args);
    case "web":
      return textOf(args["url"] ?? args["query"]);
    case "todo":
      return todoText(args["items"]);
  }
}

/** "a.ts", "a.ts:10-40", or "a.ts:10-" for an open range. */
function rangeText(path: string | undefined, offset: unknown, limit: unknown): string | undefined {
  if (path === undefined || (offset === undefined && limit === undefined)) return path;
  const first = typeof offset === "number" ? offset : 1;
  return `${path}:${first}-${typeof limit === "number" ? first + limit - 1 : ""}`;
}

function searchText({ pattern, path, glob }: JsonObject): string | undefined {
  if (typeof pattern !== "string") return undefined;
  const where = [textOf(path), textOf(glob)].filter((place) => place !== undefined).join(" ");
  return where === "" ? `"${pattern}"` : `"${pattern}" in ${where}`;
}

/** "src", or "src to depth 2"; the working directory is ".". */
function listText({ path = ".", depth }: JsonObject): string | undefined {
  if (typeof path !== "string") return undefined;
  return typeof depth === "number" && depth > 1 ? `${path} to depth ${depth}` : path;
}

/** "2 of 5: run the tests" */
function todoText(given: unknown): string | undefined {
  const items = todoItems(given);
  if (items === undefined) return undefined;
  const active = items.find(({ status }) => status === "active");
  const done = items.filter(({ status }) => status === "done").length;
  return `${done} of ${items.length} done${active === undefined ? "" : `: ${active.text}`}`;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const visibleWord = (text: string): string => visibleText(text.replaceAll("\t", "    "));

/** Names the agent that asks, if it works for the session's. Safe for a terminal. */
export const ofAgent = ({ agent }: { readonly agent?: string }): string =>
  agent === undefined ? "" : `${visibleText(agent)}: `;
