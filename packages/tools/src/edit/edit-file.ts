import { lstatSync, readFileSync } from "node:fs";
import { contentHash } from "@mdx-ai/base";
import { readPrivateFile } from "@mdx-ai/base/disk";
import type { BuiltinToolContext, ToolResult } from "@mdx-ai/loop";
import { FileToolError, fileError, type PermittedFile, permittedBy, resolveToPermit } from "@mdx-ai/permissions";
import { shownBytes } from "../editor-files.ts";
import type { FileMemory } from "../file-memory.ts";
import type { UserEditor } from "../user-editor.ts";
import { withWritableTarget } from "../writable-target.ts";
import { replaceContent } from "../write-content.ts";
import { type Edit, type EditedText, editedFile, requireText } from "./apply-edits.ts";
import { EditError } from "./edit-error.ts";
import { type LineChange, lineDifference } from "./unified-diff.ts";

/** The largest file that can be edited, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The most line ranges that a result lists. */
const LISTED = 20;

export interface FileEditing {
  /** As requested. Absolute. */
  readonly path: string;
  readonly edits: readonly Edit[];
  readonly files: FileMemory;
  /** Whether reading a real path is denied: an edit reveals the content of the file. */
  readonly isHidden: (path: string) => boolean;
  readonly editor?: UserEditor | undefined;
}

/** Edits a file in place. Rejects with `FileToolError`; then the file is unchanged. */
export async function editFile(
  { path, edits, files, isHidden, editor }: FileEditing,
  context: BuiltinToolContext,
): Promise<ToolResult> {
  const { access, keeper } = context;
  const file: PermittedFile = { path, permitted: permittedBy(access, "write") };
  try {
    const real = file.permitted ?? resolveToPermit(path);
    if (isHidden(real)) throw new FileToolError(`${JSON.stringify(path)} cannot be edited: reading it is denied`);
    refuseMissing(real, path);
    return await files.alone(real, () =>
      withWritableTarget(file, async (target) => {
        if (target.existing === undefined) throw missing(path);
        if (target.existing.size > MAX_BYTES) throw new EditError("it is too large: edit it with a command");
        files.sweepBeside(real, target.path);
        files.refuseChanged(context, real, target.path);
        const onDisk = readPrivateFile(target.path, (file) => readFileSync(file));
        const before = (await shownBytes(editor, path)) ?? onDisk;
        requireText(before);
        const edited = editedFile(before, edits);
        const { bytes } = edited;
        const described = Promise.withResolvers<{ result: ToolResult; hash: string }>();
        const meanwhile = (): void =>
          described.resolve({ result: resultOf(path, before, edited), hash: contentHash(bytes) });
        await replaceContent(target, { path: real, bytes, before, keeper, editor: { editor, path }, meanwhile });
        const { result, hash } = await described.promise;
        files.rememberWritten(context, real, target.path, hash);
        return result;
      }),
    );
  } catch (error) {
    if (error instanceof EditError) {
      throw new FileToolError(`${JSON.stringify(path)} was not edited: ${error.message}`, { cause: error });
    }
    throw fileError(error, path);
  }
}

const missing = (path: string): FileToolError =>
  new FileToolError(`${JSON.stringify(path)} does not exist: use write_file to create it`);

/** Checked before the folders of the path are created. */
function refuseMissing(real: string, path: string): void {
  if (lstatSync(real, { throwIfNoEntry: false }) === undefined) throw missing(path);
}

function resultOf(path: string, before: Buffer, edited: EditedText): ToolResult {
  const { changes, diff } = lineDifference(before, edited.bytes, edited.changes);
  const count = edited.replacements === 1 ? "1 replacement" : `${edited.replacements} replacements`;
  const text = [`edited ${path}: ${count}, now ${rangesText(changes)}`, ...edited.notes].join("\n");
  return { content: [{ type: "text", text }], details: { diff } };
}

function rangesText(changes: readonly LineChange[]): string {
  const ranges = changes.slice(0, LISTED).map(({ newFirst, newEnd }) => {
    if (newEnd <= newFirst) return `removed before line ${newFirst + 1}`;
    return newEnd - newFirst === 1 ? `line ${newFirst + 1}` : `lines ${newFirst + 1}-${newEnd}`;
  });
  const more = changes.length > LISTED ? [`and ${changes.length - LISTED} more ranges`] : [];
  return changes.length === 0 ? "the same as before" : [...ranges, ...more].join(", ");
}
