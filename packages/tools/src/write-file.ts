import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { attempt, contentHash, type JsonObject } from "@mdx-ai/base";
import { readPrivateFile } from "@mdx-ai/base/disk";
import { type BuiltinToolContext, type ToolResult, textResult } from "@mdx-ai/loop";
import { fileError, permittedBy, resolveToPermit } from "@mdx-ai/permissions";
import type { StructuredPatchHunk } from "diff";
import { FileMemory } from "./file-memory.ts";
import { PATH_ALIASES, TEXT_ALIASES, WRITE_ALIASES } from "./file-tool-habits.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { UserEditor } from "./user-editor.ts";
import type { WritableTarget } from "./writable-target.ts";

export interface WriteFileOptions {
  readonly files?: FileMemory;
  /** Whether reading a real path is denied: the details of a result show the old content. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /** Writes in the user's editor. */
  readonly editor?: UserEditor | undefined;
}

/** The builtin tool `write_file`. Relative paths start in the working directory. */
export function writeFileTool({
  files = new FileMemory(),
  isHidden = () => false,
  editor,
}: WriteFileOptions = {}): ListedTool {
  return {
    name: "write_file",
    effects: "writes",
    listing: {
      group: "coding",
      isBasic: true,
      counterparts: ["write"],
      replaces: ["patch", "notebookedit"],
    },
    label: { kind: "write", verb: "write" },
    description:
      "Write a text file, replacing its content. A relative path starts at the working directory. Missing folders are made.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file" },
        content: { type: "string", description: "The whole text of the file" },
      },
      required: ["path", "content"],
    },
    aliases: WRITE_ALIASES,
    parameterHabits: { names: { path: PATH_ALIASES, content: TEXT_ALIASES }, ignored: { command: ["create"] } },
    example: { path: "notes.md", content: "text" },
    access: async (args, { cwd }) => ({ kind: "write", path: resolveToPermit(pathOf(args, cwd)) }),
    execute: async (args, context: BuiltinToolContext) => {
      const { cwd, access, keeper } = context;
      const path = pathOf(args, cwd);
      const bytes = Buffer.from(String(args["content"]), "utf8");
      try {
        const { withWritableTarget } = await import("./writable-target.ts");
        const { replaceContent } = await import("./write-content.ts");
        const file = { path, permitted: permittedBy(access, "write") };
        const real = file.permitted ?? resolveToPermit(path);
        return await files.alone(real, () => {
          const use = async (target: WritableTarget): Promise<ToolResult> => {
            files.sweepBeside(real, target.path);
            if (target.existing) files.refuseChanged(context, real, target.path);
            const details = isHidden(real) ? undefined : await writtenDetails(target, bytes);
            const existed = await replaceContent(target, { path: real, bytes, keeper, editor: { editor, path } });
            files.rememberWritten(context, real, target.path, contentHash(bytes));
            const text = `${existed ? "replaced" : "created"} ${path}: ${bytes.length} bytes written`;
            return { ...textResult(text), ...(details !== undefined && { details }) };
          };
          return withWritableTarget(file, use);
        });
      } catch (error) {
        throw fileError(error, path);
      }
    },
  };
}

const pathOf = (args: JsonObject, cwd: string): string => resolve(cwd, String(args["path"]));

/** The largest content that is compared, in bytes. */
const MAX_BYTES = 256 * 1024;
/** The most edits of a diff: beyond it the texts have little in common, and the search takes long. */
const MAX_EDITS = 1_000;

/**
 * The change that a write will make, for user interfaces: `{created: true}`, or `{diff}` as for `edit_file`. Undefined if it
 * cannot be compared. Never rejects.
 */
async function writtenDetails({ path, existing }: WritableTarget, bytes: Uint8Array): Promise<JsonObject | undefined> {
  if (existing === undefined) return { created: true };
  if (Math.max(existing.size, bytes.length) > MAX_BYTES) return undefined;
  const before = attempt(() => readPrivateFile(path, (file) => readFileSync(file)));
  if (before === undefined || before.includes(0) || bytes.includes(0)) return undefined;
  const decoder = new TextDecoder();
  const diff = await differenceOf(decoder.decode(before), decoder.decode(bytes));
  return diff === undefined ? undefined : { diff };
}

async function differenceOf(before: string, after: string): Promise<string | undefined> {
  if (before === after) return "";
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  return patch?.hunks.map(hunkText).join("\n");
}

const hunkText = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string =>
  [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines.map((line) => line.replace(/\r$/, ""))].join(
    "\n",
  );
