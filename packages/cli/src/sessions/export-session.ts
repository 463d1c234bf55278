import { jsonText } from "@mdx-ai/directory/text";
import { htmlExport, markdownExport } from "@mdx-ai/directory/views/session-export";
import { readSession, recordingText, type SessionRecord } from "@mdx-ai/sessions";
import { textOption } from "../arguments/option-values.ts";
import { UsageError } from "../failures/program-error.ts";
import { writeOutput } from "../output/write-output.ts";
import { type SessionsRun, summaryReport } from "./list-sessions.ts";

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

/** The export formats. */
export const EXPORT_FORMATS: readonly string[] = [...FORMATS.keys()];

/** A session in a format, not redacted. Throws `UsageError` for an unknown format, and as `readSession` does. */
export function exportText(dataDir: string, id: string, format: string): string {
  const render = FORMATS.get(format);
  if (render !== undefined) return render(dataDir, id);
  throw new UsageError(`--format needs ${EXPORT_FORMATS.join(", ")}, but got ${JSON.stringify(format)}`);
}

/**
 * Writes a session to standard output or to a new file with mode 600. Throws `UsageError`, file system errors, and as `readSession` does.
 */
export function exportSession({ dataDir, words: [id = ""], args, context }: SessionsRun): void {
  const output = textOption(args, "output", "a file");
  // An old journal may contain keys that were not known as secrets then.
  const text = context.keys.text(exportText(dataDir, id, args.values.get("format") ?? "md"));
  writeOutput(output, text, context);
}

/** The whole transcript as JSON. */
function jsonExport({ summary, messages }: SessionRecord): string {
  return `${jsonText({ ...summaryReport(summary), messages }, 2)}\n`;
}
