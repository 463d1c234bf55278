import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import type { JsonObject } from "@mdx-ai/models";
import type { AgentTool } from "../types/tool.ts";
import { FileToolError, permittedBy, resolveToPermit } from "./permitted-file.ts";
import { type FileWindow, readWindow } from "./read-window.ts";
import { headOf, OUTPUT_LIMIT } from "./text-limit.ts";

/** Changes the text of a file before a model sees it; keeps its lines. */
export type ReadTransform = (absolutePath: string, text: string) => string;

/** Characters for the notices below the text. */
const NOTICE_ROOM = 500;
/** A character of UTF-8 has four bytes at most. */
const BYTE_LIMIT = 4 * OUTPUT_LIMIT + 4;
const BINARY_SAMPLE = 8_000;

/** The builtin tool `read_file`. Relative paths start at `agentDir`. */
export function readFileTool(agentDir: string, transform: ReadTransform = (_path, text) => text): AgentTool {
  const pathOf = (args: JsonObject): string => resolve(agentDir, String(args["path"]));
  return {
    name: "read_file",
    description:
      "Read a text file. A relative path starts at the agent's directory. A long file comes in parts; the end of a part says how to go on.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file" },
        offset: { type: "integer", minimum: 1, description: "Number of the first line to read; the first line is 1" },
        limit: { type: "integer", minimum: 1, description: "How many lines to read at most" },
      },
      required: ["path"],
    },
    readOnly: true,
    touch: async (args) => ({ kind: "read", path: resolveToPermit(pathOf(args)) }),
    execute: async (args, { signal, touch }) => {
      const path = pathOf(args);
      const first = wholeNumber(args, "offset") ?? 1;
      const count = wholeNumber(args, "limit") ?? Number.POSITIVE_INFINITY;
      const file = { path, permitted: permittedBy(touch, "read") };
      const window = await readWindow(file, { first, count, bytes: BYTE_LIMIT }, signal);
      return windowText({ path, first, window, transform });
    },
  };
}

interface Reading {
  readonly path: string;
  readonly first: number;
  readonly window: FileWindow;
  readonly transform: ReadTransform;
}

function windowText({ path, first, window, transform }: Reading): string {
  if (window.linesBefore !== undefined) return textOfNothing(path, first, window.linesBefore);
  refuseBinary(path, window.bytes);
  const { text: read, valid } = utf8Text(window.bytes, window.more);
  const text = transform(path, read);
  if (valid && !window.more && text.length <= OUTPUT_LIMIT) return text;
  const shown = text.length <= OUTPUT_LIMIT - NOTICE_ROOM ? text : wholeLines(text);
  const notices = valid ? [] : ["The file is not valid UTF-8: U+FFFD stands for each byte that is not."];
  if (window.more || shown.length < text.length) notices.push(continuation(first, shown));
  return notices.length === 0 ? shown : `${shown}${shown.endsWith("\n") ? "" : "\n"}[${notices.join(" ")}]`;
}

function textOfNothing(path: string, first: number, lines: number): string {
  if (lines === 0) return "[The file is empty.]";
  throw new FileToolError(`${JSON.stringify(path)} has ${lines} lines, so that offset ${first} is behind its end`);
}

/** The lines that fit; a piece of the first if not even that fits. */
function wholeLines(text: string): string {
  const room = headOf(text, OUTPUT_LIMIT - NOTICE_ROOM);
  const end = room.lastIndexOf("\n");
  return end === -1 ? room : room.slice(0, end + 1);
}

function continuation(first: number, shown: string): string {
  if (!shown.endsWith("\n")) {
    const line = first + shown.split("\n").length - 1;
    return `Line ${line} is cut here: it is too long to be shown. Its rest can be had with the bash tool; the next line is at offset ${line + 1}.`;
  }
  const next = first + shown.split("\n").length - 1;
  return `Lines ${first} to ${next - 1} are shown; more follow: read on with offset ${next}.`;
}

function refuseBinary(path: string, bytes: Buffer): void {
  if (bytes.subarray(0, BINARY_SAMPLE).includes(0)) {
    throw new FileToolError(
      `${JSON.stringify(path)} is a binary file: look at it with the bash tool, such as with file or xxd`,
    );
  }
}

function wholeNumber(args: JsonObject, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" ? value : undefined;
}

/** Bytes decoded as UTF-8. */
interface Utf8Text {
  readonly text: string;
  /** Whether each byte was part of valid UTF-8; others became U+FFFD. */
  readonly valid: boolean;
}

/** Decodes bytes; a byte-order mark is kept. With `open`, a sequence that the end of the bytes cuts off is left out. */
function utf8Text(bytes: Buffer, open: boolean): Utf8Text {
  const whole = open ? bytes.subarray(0, bytes.length - unfinishedLength(bytes)) : bytes;
  return { text: whole.toString("utf8"), valid: isUtf8(whole) };
}

/** How many bytes at the end begin a sequence without finishing it. */
function unfinishedLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0b1100_0000) return sequenceLength(byte) > back ? back : 0;
    if (byte < 0b1000_0000) return 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0b1111_0000) return 4;
  return lead >= 0b1110_0000 ? 3 : 2;
}
