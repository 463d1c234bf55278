import { resolve } from "node:path";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { readSession, recordingText, type SessionRecord } from "@mdx-ai/runtime";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import { writeNewFile } from "../output/write-new-file.ts";
import { htmlExport } from "./html-export.ts";
import { markdownExport } from "./markdown-export.ts";
import { summaryReport } from "./sessions-text.ts";

type Render = (dataDir: string, id: string) => string;

const rendered =
  (render: (session: SessionRecord) => string): Render =>
  (dataDir, id) =>
    render(readSession(dataDir, id));

const FORMATS: ReadonlyMap<string, Render> = new Map([
  ["md", rendered(markdownExport)],
  ["json", rendered(jsonExport)],
  ["html", rendered(htmlExport)],
  ["jsonl", recordingText],
]);

/** Which session to export, and where to. */
export interface SessionExport {
  /** Absolute. */
  readonly dataDir: string;
  /** The session's id. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

/**
 * Writes a session to standard output or to a new file, its owner's alone. Throws `UsageError`, what `readSession` throws,
 * or what the file system says.
 */
export function exportSession({ dataDir, words: [id = ""], args, context }: SessionExport): void {
  const format = args.values.get("format") ?? "md";
  const render = FORMATS.get(format);
  if (render === undefined) {
    throw new UsageError(`--format needs ${[...FORMATS.keys()].join(", ")}, and got ${JSON.stringify(format)}`);
  }
  const output = args.values.get("output");
  if (output === "") throw new UsageError('--output needs a file, and got ""');
  // An old journal may hold keys that were not redacted yet.
  const text = context.keys.text(render(dataDir, id));
  if (output === undefined) {
    context.stdout.write(text);
    return;
  }
  const path = resolve(context.currentDirectory, output);
  writeNewFile(path, text);
  context.stdout.write(`Written: ${plainLine(path)}\n`);
}

/** The whole transcript, for programs. */
function jsonExport({ summary, messages }: SessionRecord): string {
  return `${jsonText({ ...summaryReport(summary), messages }, 2)}\n`;
}
