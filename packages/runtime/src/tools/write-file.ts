import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonObject } from "@mdx-ai/models";
import { pathWithin, realPlaceOrSame } from "../files/real-place.ts";
import { replaceFile } from "../files/replace-file.ts";
import { untilSettled } from "../sandbox/settled-directory.ts";
import type { AgentTool, BuiltinToolContext } from "../types/tool.ts";
import { FileToolError, fileError, type PermittedFile, permittedBy, resolveToPermit } from "./permitted-file.ts";
import type { WritableTarget } from "./writable-target.ts";

/** The builtin tool `write_file`. Relative paths start where tools work. */
export function writeFileTool(): AgentTool {
  return {
    name: "write_file",
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
    access: async (args, { cwd }) => ({ kind: "write", path: resolveToPermit(pathOf(args, cwd)) }),
    execute: async (args, { agentDir, cwd, access, signal, files }: BuiltinToolContext) => {
      const path = pathOf(args, cwd);
      const bytes = Buffer.from(String(args["content"]), "utf8");
      try {
        const { withWritableTarget } = await import("./writable-target.ts");
        const file = { path, permitted: permittedBy(access, "write") };
        await refuseUnsettled(agentDir, file, signal);
        const existed = await withWritableTarget(file, async (target) => {
          await files?.keep({ path: file.permitted ?? resolveToPermit(path), existing: target.path, content: bytes });
          return write(target, bytes);
        });
        return `${existed ? "replaced" : "created"} ${path}: ${bytes.length} bytes written`;
      } catch (error) {
        throw fileError(error, path);
      }
    },
  };
}

const pathOf = (args: JsonObject, cwd: string): string => resolve(cwd, String(args["path"]));

/** A file that would be mistaken for a command's file is written when no command runs. Rejects with `FileToolError`. */
async function refuseUnsettled(agentDir: string, { path, permitted = path }: PermittedFile, signal: AbortSignal) {
  const relative = pathWithin(realPlaceOrSame(agentDir), permitted);
  if (relative === undefined || (await untilSettled(agentDir, relative, signal))) return;
  const reason = "it defines the agent, and a command of the agent runs";
  throw new FileToolError(`${JSON.stringify(path)} cannot be created now: ${reason}; try again when that has ended`);
}

/** Returns whether there was a file. */
async function write({ path, existing }: WritableTarget, bytes: Buffer): Promise<boolean> {
  await replaceFile({
    path,
    mode: existing ? 0o600 : 0o666,
    fill: async (draft) => {
      await draft.writeFile(bytes);
      if (existing) await keepOwnerAndMode(draft, existing);
    },
  });
  return existing !== undefined;
}

/** Gives a new file the owner and the mode of the one that it replaces. Rejects with the system's error. */
async function keepOwnerAndMode(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  // Only the superuser may give a file away; for others the file becomes their own, as with an editor.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}
