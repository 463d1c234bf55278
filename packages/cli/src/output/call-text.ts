import { type JsonObject, visibleText } from "@mdx-ai/base";

/** The family of a call, by which its result is shown. */
type CallKind = "command" | "read" | "search" | "list" | "write" | "edit" | "other";

/** What a tool call does, as a user says it: `$ npm test`, `read a.ts:10-40`. */
export interface CallText {
  readonly kind: CallKind;
  /** "$", "read", … or the tool's name. */
  readonly verb: string;
  /** What it does that with; the lines of a command, else one line. Safe for a terminal. Not empty. */
  readonly lines: readonly [string, ...string[]];
}

type Redact = (text: string) => string;

/** Describes a call by its tool and arguments. A call that is not as the builtin tool takes it is shown with its arguments as JSON. */
export function callText(name: string, args: JsonObject, redact: Redact = (text) => text): CallText {
  return (
    wordsOf(name, args, redact) ?? { kind: "other", verb: visibleWord(name), lines: [argumentsText(args, redact)] }
  );
}

/** Its arguments as one line of JSON; "" if it has none. */
function argumentsText(args: JsonObject, redact: Redact): string {
  return Object.keys(args).length === 0 ? "" : visibleText(redact(JSON.stringify(args)));
}

function wordsOf(name: string, args: JsonObject, redact: Redact): CallText | undefined {
  const { kind, verb, takes, optional = [] } = KNOWN.get(name) ?? {};
  if (kind === undefined || verb === undefined || takes === undefined) return undefined;
  const allowed = [...takes, ...optional];
  const fits = takes.every((key) => key in args) && Object.keys(args).every((key) => allowed.includes(key));
  const text = fits ? subjectOf(kind, args) : undefined;
  if (text === undefined) return undefined;
  const [first = "", ...others] = redact(text).split("\n");
  const lines = kind === "command" ? others : [];
  const whole = kind === "command" ? first : [first, ...others].join("\n");
  return { kind, verb, lines: [visibleWord(whole), ...lines.map(visibleWord)] };
}

interface KnownTool {
  readonly kind: Exclude<CallKind, "other">;
  readonly verb: string;
  /** The arguments that it needs, and those that it may have. */
  readonly takes: readonly string[];
  readonly optional?: readonly string[];
}

const grepped = ["path", "glob", "ignore_case", "context", "mode", "limit"];

const KNOWN: ReadonlyMap<string, KnownTool> = new Map<string, KnownTool>([
  ["bash", { kind: "command", verb: "$", takes: ["command"], optional: ["timeout"] }],
  ["shell.exec", { kind: "command", verb: "$", takes: ["cmd"], optional: ["timeout_s"] }],
  ["read_file", { kind: "read", verb: "read", takes: ["path"], optional: ["offset", "limit"] }],
  ["fs.read", { kind: "read", verb: "read", takes: ["path"] }],
  ["write_file", { kind: "write", verb: "write", takes: ["path", "content"] }],
  ["fs.write", { kind: "write", verb: "write", takes: ["path", "content"], optional: ["create_dirs"] }],
  ["edit_file", { kind: "edit", verb: "edit", takes: ["path", "edits"] }],
  ["grep", { kind: "search", verb: "grep", takes: ["pattern"], optional: grepped }],
  ["glob", { kind: "search", verb: "glob", takes: ["pattern"], optional: ["path", "limit"] }],
  ["list_files", { kind: "list", verb: "list", takes: [], optional: ["path", "depth"] }],
  ["fs.list", { kind: "read", verb: "list", takes: ["path"] }],
]);

function subjectOf(kind: KnownTool["kind"], args: JsonObject): string | undefined {
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
  }
}

/** "a.ts", "a.ts:10-40", or "a.ts:10-" without an end. */
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

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const visibleWord = (text: string): string => visibleText(text.replaceAll("\t", "    "));
