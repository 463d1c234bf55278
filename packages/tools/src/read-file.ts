import { resolve } from "node:path";
import { attempt, contentHash, type JsonObject } from "@mdx-ai/base";
import { type BuiltinToolContext, headOf, OUTPUT_LIMIT } from "@mdx-ai/loop";
import { FileToolError, permittedBy, resolveToPermit } from "@mdx-ai/permissions";
import { shownBytes } from "./editor-files.ts";
import { FileMemory } from "./file-memory.ts";
import { PATH_ALIASES, READ_ALIASES } from "./file-tool-habits.ts";
import type { ListedTool } from "./listed-tool.ts";
import { type FileWindow, mediaOf, readWindow, windowOf } from "./read-window.ts";
import type { UserEditor } from "./user-editor.ts";

/** Changes the text of a file before a model sees it; keeps its lines. */
export type ReadTransform = (absolutePath: string, text: string) => string;

/** The characters that are reserved for notices below the text. */
const NOTICE_ROOM = 500;
/** The most bytes of a character in UTF-8. */
const BYTE_LIMIT = 4 * OUTPUT_LIMIT + 4;
const BINARY_SAMPLE = 8_000;

interface ReadFileOptions {
  /** Default: leaves texts unchanged. */
  readonly readTransform?: ReadTransform;
  readonly files?: FileMemory;
  /** Shows texts as the user's editor does, with changes that are not saved. */
  readonly editor?: UserEditor | undefined;
}

/** The builtin tool `read_file`. Relative paths start in the working directory. */
export function readFileTool({
  readTransform: transform = (_path, text) => text,
  files = new FileMemory(),
  editor,
}: ReadFileOptions = {}): ListedTool {
  return {
    name: "read_file",
    effects: "reads",
    listing: { group: "coding", isBasic: true, counterparts: ["read"], replaces: ["skill"] },
    description:
      "Read a text file, or look at an image (png, jpeg, gif, webp). A relative path starts at the working directory. A long file comes in parts; the end of a part says how to continue.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file" },
        offset: { type: "integer", minimum: 0, description: "Number of the first line to read; the first line is 1" },
        limit: { type: "integer", minimum: 1, description: "How many lines to read at most" },
      },
      required: ["path"],
    },
    aliases: READ_ALIASES,
    parameterHabits: {
      names: {
        path: PATH_ALIASES,
        offset: ["start_line", "line_start", "from_line", "first_line"],
        limit: ["max_lines", "num_lines", "line_count"],
      },
    },
    example: { path: "README.md", offset: 1, limit: 200 },
    label: { kind: "read", verb: "read" },
    access: async (args, { cwd }) => ({ kind: "read", path: resolveToPermit(pathOf(args, cwd)) }),
    execute: async (args, context: BuiltinToolContext) => {
      const { cwd, signal, access } = context;
      const path = pathOf(args, cwd);
      // Some models count from 0: they mean the start.
      const first = Math.max(1, Number(args["offset"] ?? 1));
      const count = Number(args["limit"] ?? Number.POSITIVE_INFINITY);
      const file = { path, permitted: permittedBy(access, "read") };
      const range = { first, count, bytes: BYTE_LIMIT };
      const window = await readWindow(file, range, {
        signal,
        onRead: (descriptor, { bytes, more, linesBefore }) => {
          const isWhole = first === 1 && !more && linesBefore === undefined;
          const real = file.permitted ?? resolveToPermit(path);
          files.remember(context, real, descriptor, isWhole ? contentHash(bytes) : undefined);
        },
      });
      const media = first === 1 ? mediaOf(window.bytes) : undefined;
      if (media !== undefined) return (await import("./read-media.ts")).readMedia(file, media);
      const shown = await shownBytes(editor, path);
      return windowText({ path, first, window: shown === undefined ? window : windowOf(shown, range), transform });
    },
  };
}

const pathOf = (args: JsonObject, cwd: string): string => resolve(cwd, String(args["path"]));

interface Reading {
  readonly path: string;
  readonly first: number;
  readonly window: FileWindow;
  readonly transform: ReadTransform;
}

function windowText({ path, first, window, transform }: Reading): string {
  if (window.linesBefore !== undefined) return textOfNothing(path, first, window.linesBefore);
  refuseBinary(path, window.bytes);
  const { text: read, isValid } = utf8Text(window.bytes, window.more);
  const text = transform(path, read);
  if (isValid && !window.more && text.length <= OUTPUT_LIMIT) return text;
  const shown = text.length <= OUTPUT_LIMIT - NOTICE_ROOM ? text : wholeLines(text);
  const notices = isValid ? [] : ["The file is not valid UTF-8: each invalid byte is shown as U+FFFD."];
  if (window.more || shown.length < text.length) notices.push(continuation(first, shown));
  return notices.length === 0 ? shown : `${shown}${shown.endsWith("\n") ? "" : "\n"}[${notices.join(" ")}]`;
}

function textOfNothing(path: string, first: number, lines: number): string {
  if (lines === 0) return "[The file is empty.]";
  throw new FileToolError(`${JSON.stringify(path)} has ${lines} lines, so offset ${first} is after its end`);
}

/** The lines that fit, or a piece of the first line. */
function wholeLines(text: string): string {
  const room = headOf(text, OUTPUT_LIMIT - NOTICE_ROOM);
  const end = room.lastIndexOf("\n");
  return end === -1 ? room : room.slice(0, end + 1);
}

function continuation(first: number, shown: string): string {
  const last = first + shown.split("\n").length - 1;
  return shown.endsWith("\n")
    ? `Lines ${first} to ${last - 1} are shown; more follow: continue with offset ${last}.`
    : `Line ${last} is cut here: it is too long to be shown. Read the rest with the bash tool; the next line is at offset ${last + 1}.`;
}

function refuseBinary(path: string, bytes: Buffer): void {
  if (bytes.subarray(0, BINARY_SAMPLE).includes(0)) {
    throw new FileToolError(
      `${JSON.stringify(path)} is a binary file: look at it with the bash tool, such as with file or xxd`,
    );
  }
}

/** Decodes bytes and keeps a byte-order mark. If more bytes follow, leaves out an incomplete sequence at the end. */
function utf8Text(bytes: Buffer, more: boolean): { readonly text: string; readonly isValid: boolean } {
  const decode = (fatal: boolean): string =>
    new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(bytes, { stream: more });
  const text = attempt(() => decode(true));
  return { text: text ?? decode(false), isValid: text !== undefined };
}
