import { existsSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { plainLine } from "@mdx-ai/directory/text";
import { readSession, type SessionRecord, UnknownSessionError } from "@mdx-ai/runtime";
import { writeNewFile } from "../output/write-output.ts";
import { EXPORT_FORMATS, exportText } from "../sessions/export-session.ts";

export interface ExportContext {
  /** Absolute; absent where no session is kept. */
  readonly dataDir: string | undefined;
  /** The id of the current session. */
  readonly current: string;
  /** The current folder, for relative names. Absolute. */
  readonly currentDirectory: string;
  /** The user's home folder, for names that begin with `~/`. */
  readonly home: string | undefined;
  /** Takes secrets out of a text. */
  redact(text: string): string;
}

/**
 * Runs `/export` with these words: writes the session to a new file and returns the answer. The end of the name chooses the format,
 * Markdown if it names none. Throws as `writeNewFile` and `readSession` do.
 */
export function runExport(words: string, context: ExportContext): string {
  const { dataDir, current, redact } = context;
  if (dataDir === undefined) return "This conversation keeps no session, so there is nothing to export.";
  const messages = recordOf(dataDir, current)?.messages ?? [];
  if (messages.length === 0) return "There is nothing to export yet.";
  const path = words === "" ? freeName(context) : resolve(context.currentDirectory, atHome(words, context.home));
  const ending = extname(path).slice(1).toLowerCase();
  const format = EXPORT_FORMATS.includes(ending) ? ending : "md";
  writeNewFile(path, redact(exportText(dataDir, current, format)));
  return `Written: ${plainLine(path)}`;
}

/** Undefined if nothing of the session is on disk yet. */
function recordOf(dataDir: string, id: string): SessionRecord | undefined {
  try {
    return readSession(dataDir, id);
  } catch (error) {
    if (error instanceof UnknownSessionError) return undefined;
    throw error;
  }
}

/** No shell replaces it here. */
const atHome = (path: string, home: string | undefined): string =>
  home !== undefined && path.startsWith("~/") ? join(home, path.slice(2)) : path;

/** `SESSION.md`, or with a number behind it if that exists. */
function freeName({ current, currentDirectory }: ExportContext): string {
  for (let number = 1; ; number++) {
    const path = join(currentDirectory, `${current}${number === 1 ? "" : `-${number}`}.md`);
    if (!existsSync(path)) return path;
  }
}
