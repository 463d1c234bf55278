import { resolve } from "node:path";
import type { Diff, ToolCall, ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { contentText, plainLine, plainText } from "@mdx-ai/directory/text";
import { callText } from "@mdx-ai/directory/views/call-text";
import type { AgentEvent, ToolLabel, ToolResult } from "@mdx-ai/loop";

type Started = Extract<AgentEvent, { type: "tool_execution_start" }>;

/** A call as the events of a prompt describe it. */
export type CalledTool = Pick<Started, "toolName" | "args" | "label">;

const KINDS: Readonly<Record<ToolLabel["kind"], ToolKind>> = {
  command: "execute",
  read: "read",
  search: "search",
  list: "search",
  write: "edit",
  edit: "edit",
  web: "fetch",
  todo: "think",
};

/** What a client shows of a call before its result: title, kind, files, and what an edit will change. `folder` is the working directory. */
export function shownCall(
  call: CalledTool,
  folder: string,
): Pick<ToolCall, "title" | "name" | "kind" | "content" | "locations" | "rawInput"> {
  const { toolName: name, args, label } = call;
  return {
    title: titleOf(call),
    name,
    kind: label === undefined ? "other" : KINDS[label.kind],
    locations: locationsOf(call, folder),
    content: plannedDiffs(call, folder).map((diff) => ({ type: "diff", ...diff })),
    rawInput: args,
  };
}

/** The most characters of a title. */
const MAX_TITLE = 300;

function titleOf(call: CalledTool): string {
  const { verb, lines } = callText(call);
  const [first, ...others] = lines;
  const title = plainLine(`${verb} ${first}${others.length > 0 ? " …" : ""}`);
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title;
}

/** The file that a call of a builtin file tool is about. */
function locationsOf(call: CalledTool, folder: string): ToolCallLocation[] {
  const { args, label } = call;
  const path = pathOf(call, folder);
  const { offset } = args;
  if (path === undefined) return [];
  return [{ path, ...(label?.kind === "read" && typeof offset === "number" && offset > 0 && { line: offset }) }];
}

function pathOf({ args, label }: Pick<CalledTool, "args" | "label">, folder: string): string | undefined {
  const { path } = args;
  const isOfFile = label !== undefined && ["read", "search", "list", "write", "edit"].includes(label.kind);
  return isOfFile && typeof path === "string" && path !== "" ? resolve(folder, path) : undefined;
}

/** The change that the arguments of a call describe. */
function plannedDiffs(call: CalledTool, folder: string): readonly Diff[] {
  const { args, label } = call;
  const path = pathOf(call, folder);
  if (path === undefined) return [];
  const { content, edits } = args;
  if (label?.kind === "write" && typeof content === "string") return [{ path, oldText: null, newText: content }];
  if (label?.kind !== "edit" || !Array.isArray(edits)) return [];
  return edits.flatMap((edit) => {
    const { old, new: text } = isRecord(edit) ? edit : {};
    return typeof old === "string" && typeof text === "string" ? [{ path, oldText: old, newText: text }] : [];
  });
}

/** What a client shows of the result of a call: the change of a file, else its text and images. */
export function shownResult(call: CalledTool, result: ToolResult, folder: string): ToolCallContent[] {
  const diffs = madeDiffs(call, result.details, folder);
  if (diffs.length > 0) return diffs.map((diff) => ({ type: "diff", ...diff }));
  return [...shownText(call, contentOf(result)), ...shownImages(result)];
}

const contentOf = ({ content }: ToolResult): string => contentText(content.filter(({ type }) => type === "text"));

/** The text of a result. That of builtin tools is not Markdown, so it is fenced. */
function shownText({ label }: CalledTool, text: string): ToolCallContent[] {
  const shown = plainText(text);
  if (shown.trim() === "") return [];
  return [{ type: "content", content: { type: "text", text: label === undefined ? shown : fenced(shown) } }];
}

/** A code block that its content cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...text.matchAll(/`+/g).map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

const shownImages = ({ content }: ToolResult): ToolCallContent[] =>
  content.flatMap((block) =>
    block.type === "image"
      ? [{ type: "content", content: { type: "image", data: block.data, mimeType: block.mimeType } }]
      : [],
  );

/** The changes that the details of a result report, one for each hunk. */
function madeDiffs(call: CalledTool, details: JsonValue | undefined, folder: string): readonly Diff[] {
  const { args, label } = call;
  const path = pathOf(call, folder);
  if (path === undefined || !isRecord(details) || (label?.kind !== "write" && label?.kind !== "edit")) return [];
  const { content } = args;
  if (details["created"] === true && typeof content === "string") return [{ path, oldText: null, newText: content }];
  const { diff } = details;
  return typeof diff === "string" ? hunksOf(diff).map((hunk) => ({ path, ...hunk })) : [];
}

/** The old and the new lines of each hunk of a unified diff without file headers. */
function hunksOf(diff: string): readonly { readonly oldText: string; readonly newText: string }[] {
  const hunks = diff.split(/^@@ .*@@.*\n?/m).slice(1);
  return hunks.map((hunk) => {
    const lines = hunk.replace(/\n$/, "").split("\n");
    const side = (mark: "-" | "+"): string =>
      lines.flatMap((line) => (line.startsWith(" ") || line.startsWith(mark) ? `${line.slice(1)}\n` : [])).join("");
    return { oldText: side("-"), newText: side("+") };
  });
}

/** What a client can keep of a result for its own use; undefined if there is nothing. */
export const rawResult = ({ details }: ToolResult): JsonObject | undefined =>
  isRecord(details) ? { ...details } : undefined;
