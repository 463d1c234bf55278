import type { Stats } from "node:fs";
import { open } from "node:fs/promises";

/** "@" starts a hunk; "!" is a note by the program. */
export type DifferenceMark = "+" | "-" | " " | "@" | "!";

interface DifferenceLine {
  readonly mark: DifferenceMark;
  /** Exactly as in the file. */
  readonly text: string;
}

export interface FileDifference {
  /** Whether the file does not exist yet. */
  readonly isNew: boolean;
  readonly lines: readonly DifferenceLine[];
}

/** Bytes. Larger files are not compared. */
const MAX_BYTES = 2 ** 20;
/** With more edits the texts have little in common, and the shortest diff takes long to find. */
const MAX_EDITS = 2_000;

/** The unified diff between a file's current content and a text, both redacted. Never rejects. */
export async function fileDifference(
  path: string,
  text: string,
  redact: (text: string) => string = (whole) => whole,
): Promise<FileDifference> {
  return difference(await currentText(path), text, redact);
}

/**
 * As `fileDifference`, for a text computed from the file's content. Undefined if the file is not text or `edit` returns undefined. Rejects
 * only if `edit` does.
 */
export async function editDifference(
  path: string,
  edit: (before: string) => Promise<string | undefined>,
  redact: (text: string) => string = (whole) => whole,
): Promise<FileDifference | undefined> {
  const held = await currentText(path);
  const text = held.kind === "text" ? await edit(held.text) : undefined;
  return text === undefined ? undefined : difference(held, text, redact);
}

async function difference(held: CurrentText, text: string, redact: (text: string) => string): Promise<FileDifference> {
  const shown = redact(text);
  switch (held.kind) {
    case "absent":
      return { isNew: true, lines: text === "" ? [remark("an empty file")] : wholeLines(shown) };
    case "other":
      return { isNew: false, lines: [remark(held.remark), ...wholeLines(shown)] };
    case "text": {
      const before = redact(held.text);
      const isHidden = before === shown && held.text !== text;
      return { isNew: false, lines: isHidden ? [remark("only keys change")] : await unifiedLines(before, shown) };
    }
  }
}

type CurrentText =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string }
  /** Cannot be compared. */
  | { readonly kind: "other"; readonly remark: string };

async function currentText(path: string): Promise<CurrentText> {
  try {
    // Opening a pipe or a device could block forever.
    const { O_RDONLY, O_NONBLOCK = 0 } = process.getBuiltinModule("node:fs").constants;
    await using file = await open(path, O_RDONLY | O_NONBLOCK);
    const problem = incomparable(await file.stat());
    if (problem !== undefined) return { kind: "other", remark: problem };
    const bytes = await file.readFile();
    if (bytes.includes(0)) return { kind: "other", remark: `it contains ${bytes.length} bytes that are not text` };
    return { kind: "text", text: bytes.toString("utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { kind: "absent" };
    return { kind: "other", remark: `its content cannot be read (${String(code ?? error)})` };
  }
}

function incomparable(stats: Stats): string | undefined {
  if (!stats.isFile()) return "it is not a regular file";
  return stats.size > MAX_BYTES ? `it contains ${stats.size} bytes, too many to compare` : undefined;
}

async function unifiedLines(before: string, after: string): Promise<readonly DifferenceLine[]> {
  if (before === after) return [remark("nothing changes")];
  if (after === "") return [remark("the file becomes empty"), ...marked("-", before)];
  const { structuredPatch } = await import("diff");
  const isComparable = after.length <= MAX_BYTES;
  const patch = isComparable
    ? structuredPatch("", "", before, after, undefined, undefined, { context: 3, maxEditLength: MAX_EDITS })
    : undefined;
  if (patch === undefined) return [remark("most of it changes; the new content is"), ...wholeLines(after)];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    { mark: "@" as const, text: `@ -${oldStart},${oldLines} +${newStart},${newLines} @@` },
    ...lines.map(patchLine),
  ]);
}

function patchLine(line: string): DifferenceLine {
  const text = line.slice(1);
  const [first] = line;
  return first === "+" || first === "-" || first === " " ? { mark: first, text } : remark(text.trim());
}

const wholeLines = (text: string): readonly DifferenceLine[] => marked("+", text);

/** A trailing newline does not start another line. */
const marked = (mark: "+" | "-", text: string): readonly DifferenceLine[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => ({ mark, text: line }));

const remark = (text: string): DifferenceLine => ({ mark: "!", text });
