import { resolve } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { resolveToPermit } from "@mdx-ai/permissions";
import type { FileMemory } from "../file-memory.ts";
import { PATH_ALIASES } from "../file-tool-habits.ts";
import type { ListedTool } from "../listed-tool.ts";
import type { UserEditor } from "../user-editor.ts";

export interface EditFileOptions {
  readonly files: FileMemory;
  /** Whether reading a real path is denied. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /** Reads and writes in the user's editor. */
  readonly editor?: UserEditor | undefined;
}

/** The builtin tool `edit_file`. Relative paths start in the working directory. */
export function editFileTool({ files, isHidden = () => false, editor }: EditFileOptions): ListedTool {
  return {
    name: "edit_file",
    effects: "writes",
    listing: { group: "coding", counterparts: ["edit", "multiedit"], replaces: ["patch", "notebookedit"] },
    label: { kind: "edit", verb: "edit" },
    description:
      "Replace text in a file. Each `old` must be in the file exactly once, unless `all` is set. Edits apply in order, all or none. A relative path starts at the working directory.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file" },
        edits: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            properties: {
              old: { type: "string", description: "The text to replace, exactly as it is in the file" },
              new: { type: "string", description: "The text in its place" },
              all: { type: "boolean", description: "Replace every occurrence" },
            },
            required: ["old", "new"],
          },
        },
      },
      required: ["path", "edits"],
    },
    aliases: [
      ...["edit", "multi_edit", "str_replace", "str_replace_editor", "str_replace_based_edit_tool", "replace"],
      ...["replace_in_file", "search_replace", "search_and_replace", "apply_edit", "replace_string_in_file"],
    ],
    parameterHabits: {
      names: {
        path: PATH_ALIASES,
        edits: ["changes", "replacements"],
        "edits[].old": ["old_string", "old_text", "old_str", "old_content", "search"],
        "edits[].new": ["new_string", "new_text", "new_str", "new_content", "replace", "replacement"],
        "edits[].all": ["replace_all"],
      },
      ignored: {
        command: ["str_replace"],
        instruction: "any",
        explanation: "any",
        // Without `all`, one replacement is expected.
        expected_replacements: [1],
        "edits[].expected_replacements": [1],
      },
    },
    example: { path: "notes.md", edits: [{ old: "text in the file", new: "text in its place" }] },
    access: async (args, { cwd }) => ({ kind: "write", path: resolveToPermit(pathOf(args, cwd)) }),
    execute: async (args, context) => {
      const { editsOf } = await import("./apply-edits.ts");
      const { editFile } = await import("./edit-file.ts");
      return editFile(
        { path: pathOf(args, context.cwd), edits: editsOf(args["edits"]), files, isHidden, editor },
        context,
      );
    },
  };
}

const pathOf = (args: JsonObject, cwd: string): string => resolve(cwd, String(args["path"]));
