import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { JsonObject } from "@mdx-ai/models";
import { attempt } from "../../attempt.ts";
import { descriptorPath } from "../../files/real-place.ts";
import type { ToolContext, ToolResult } from "../../types/tool.ts";
import type { FileMemory } from "../file-memory.ts";
import {
  checkOpened,
  FileToolError,
  fileError,
  HAS_DESCRIPTOR_PATHS,
  type PermittedFile,
  permittedBy,
  resolveToPermit,
} from "../permitted-file.ts";
import { openWithoutWaiting } from "../read-window.ts";
import type { ShownFiles } from "../search/search-root.ts";
import { type WriteFileOptions, writeFileTool } from "../write-file.ts";
import { jsonResult, orFailure } from "./failure.ts";

/** Bytes; a larger file is read with a command. */
const MOST_BYTES = 16 * 1024 * 1024;

function fileOf(args: JsonObject, { cwd, access }: ToolContext, kind: "read" | "write"): PermittedFile {
  return { path: resolve(cwd, String(args["path"])), permitted: permittedBy(access, kind) };
}

/** The names in a folder, in order. Never rejects. */
export const fsList = (
  args: JsonObject,
  context: ToolContext,
  shownFiles: ShownFiles = () => () => true,
): Promise<ToolResult | string> =>
  orFailure(async () => {
    const file = fileOf(args, context, "read");
    const isShown = shownFiles("fs.list", file.permitted ?? resolveToPermit(file.path));
    const names = namesIn(file).filter((name) => isShown(join(file.permitted ?? file.path, name)));
    return jsonResult(names);
  });

function namesIn(file: PermittedFile): readonly string[] {
  try {
    const descriptor = openSync(file.path, "r");
    try {
      checkOpened(descriptor, file);
      if (!fstatSync(descriptor).isDirectory()) throw new FileToolError(`${JSON.stringify(file.path)} is no folder`);
      return readdirSync(HAS_DESCRIPTOR_PATHS ? descriptorPath(descriptor) : file.path).sort();
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fileError(error, file.path);
  }
}

/** The whole text of a file. Never rejects. */
export const fsRead = (args: JsonObject, context: ToolContext, files: FileMemory): Promise<ToolResult | string> =>
  orFailure(async () => {
    const file = fileOf(args, context, "read");
    const name = JSON.stringify(file.path);
    const descriptor = openWithoutWaiting(file.path);
    try {
      checkOpened(descriptor, file);
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw new FileToolError(`${name} is not a regular file`);
      if (stats.size > MOST_BYTES) throw new FileToolError(`${name} is too large to be read: ${stats.size} bytes`);
      const bytes = readFileSync(descriptor);
      const text = attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
      if (text === undefined) throw new FileToolError(`${name} is not UTF-8 text`);
      files.remember(context.sessionId, file.permitted ?? resolveToPermit(file.path), descriptor, bytes);
      return { content: [{ type: "text", text }] };
    } finally {
      closeSync(descriptor);
    }
  });

/** Writes a file beside its place, and then renames it. Never rejects. */
export const fsWrite = (
  args: JsonObject,
  context: ToolContext,
  options: WriteFileOptions,
): Promise<ToolResult | string> =>
  orFailure(async () => {
    const { path, permitted = path } = fileOf(args, context, "write");
    if (args["create_dirs"] === false && !existsSync(dirname(permitted))) {
      throw new FileToolError(`the folder of ${JSON.stringify(path)} does not exist, and create_dirs is false`);
    }
    const written = await writeFileTool(options).execute(args, context);
    const details = typeof written === "string" ? undefined : written.details;
    const result = jsonResult({ ok: true, bytes: Buffer.byteLength(String(args["content"])) });
    return { ...result, ...(details !== undefined && { details }) };
  });
