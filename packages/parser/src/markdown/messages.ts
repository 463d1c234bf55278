import { defined } from "@mdx-ai/base";
import { VFile } from "vfile";
import type { VFileMessage } from "vfile-message";
import { byPosition, type Report } from "../report.ts";
import { rules } from "../rules.ts";
import { SourceText } from "../source-text.ts";
import type { Diagnostic, Severity, TextEdit } from "../types/diagnostic.ts";

type Fixes = Map<VFileMessage, TextEdit>;

declare module "vfile" {
  interface DataMap {
    source: SourceText;
    /** Those of the file itself, its byte-order mark counted. */
    fixes: Fixes;
  }
}

/** The file of a text, as the plugins pass it on: its value has no byte-order mark. */
export function virtualFile(text: string, path: string): VFile {
  const source = new SourceText(text);
  return new VFile({ value: source.text, path, data: { source, fixes: new Map() } });
}

/** The text of a file with its positions. */
export const sourceOf = ({ data, value }: VFile): SourceText => data.source ?? new SourceText(String(value));

/** The offset of what a library throws about a text; undefined if it names none. */
export function offsetOf({ place }: VFileMessage): number | undefined {
  const point = place !== undefined && "start" in place ? place.start : place;
  return point?.offset;
}

/**
 * Does work whose errors have no stack trace. Messages are errors: the traces would take longer than the parsing where a text has ten
 * thousand mistakes.
 */
export function withoutStackTraces<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Records mistakes as messages of a file. */
export function reportTo(file: VFile): Report {
  const source = sourceOf(file);
  return ({ rule, offset, message: reason, hint, fix, severity = rules[rule] }) => {
    const place = source.pointAt(offset);
    const message = withoutStackTraces(() => file.message(reason, { place, ruleId: rule, source: "mdx-ai" }));
    message.fatal = FATAL[severity];
    message.note = hint;
    if (fix !== undefined) file.data.fixes?.set(message, source.fileEdit(fix));
  };
}

/** As vfile names the severities. */
const FATAL: Readonly<Record<Severity, boolean | undefined>> = { error: true, warning: false, note: undefined };

/** The messages of a file, by position. */
export const diagnosticsOf = (file: VFile): readonly Diagnostic[] =>
  file.messages.map((message) => diagnosticOf(message, file)).sort(byPosition);

function diagnosticOf(message: VFileMessage, { path, data }: VFile): Diagnostic {
  const { line = 1, column = 1, fatal, ruleId = "", reason, note } = message;
  return {
    file: path,
    line,
    column,
    severity: fatal === true ? "error" : fatal === false ? "warning" : "note",
    rule: ruleId,
    message: reason,
    ...defined({ hint: note, fix: data.fixes?.get(message) }),
  };
}
