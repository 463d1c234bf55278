import { existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { attempt, contentHash, type JsonObject, secondsText } from "@mdx-ai/base";
import { descriptorPath } from "@mdx-ai/base/disk";
import { type BuiltinToolContext, type ToolContext, type ToolResult, textResult } from "@mdx-ai/loop";
import {
  FileToolError,
  HAS_DESCRIPTOR_PATHS,
  type PermittedFile,
  permittedBy,
  resolveToPermit,
} from "@mdx-ai/permissions";
import type { FileMemory } from "../file-memory.ts";
import { type GrantedEnd, runGranted } from "../granted-shell.ts";
import { withPermitted } from "../read-window.ts";
import type { ShownFiles } from "../search/search-root.ts";
import type { ShellOptions } from "../shell-run.ts";
import { type WriteFileOptions, writeFileTool } from "../write-file.ts";

/** The largest file that is read, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

function fileOf(args: JsonObject, { cwd, access }: ToolContext, kind: "read" | "write"): PermittedFile {
  return { path: resolve(cwd, String(args["path"])), permitted: permittedBy(access, kind) };
}

/** The names in a folder, sorted. */
export async function fsList(
  args: JsonObject,
  context: ToolContext,
  shownFiles: ShownFiles = () => () => true,
): Promise<ToolResult> {
  const file = fileOf(args, context, "read");
  const isShown = shownFiles("fs.list", file.permitted ?? resolveToPermit(file.path));
  const names = withPermitted(file, (descriptor, stats) => {
    if (!stats.isDirectory()) throw new FileToolError(`${JSON.stringify(file.path)} is not a folder`);
    return readdirSync(HAS_DESCRIPTOR_PATHS ? descriptorPath(descriptor) : file.path).sort();
  });
  return jsonResult(names.filter((name) => isShown(join(file.permitted ?? file.path, name))));
}

/** The whole text of a file. */
export async function fsRead(args: JsonObject, context: BuiltinToolContext, files: FileMemory): Promise<ToolResult> {
  const file = fileOf(args, context, "read");
  const name = JSON.stringify(file.path);
  return withPermitted(file, (descriptor, stats) => {
    if (!stats.isFile()) throw new FileToolError(`${name} is not a regular file`);
    if (stats.size > MAX_BYTES) throw new FileToolError(`${name} is too large to be read: ${stats.size} bytes`);
    const bytes = readFileSync(descriptor);
    const text = attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    if (text === undefined) throw new FileToolError(`${name} is not UTF-8 text`);
    files.remember(context, file.permitted ?? resolveToPermit(file.path), descriptor, contentHash(bytes));
    return { ...textResult(text), details: { bytes: bytes.length, truncated: false } };
  });
}

/** Writes a temporary file beside the target, then renames it. */
export async function fsWrite(args: JsonObject, context: ToolContext, options: WriteFileOptions): Promise<ToolResult> {
  const { path, permitted = path } = fileOf(args, context, "write");
  if (args["create_dirs"] === false && !existsSync(dirname(permitted))) {
    throw new FileToolError(`the folder of ${JSON.stringify(path)} does not exist, and create_dirs is false`);
  }
  const written = await writeFileTool(options).execute(args, context);
  const details = typeof written === "string" ? undefined : written.details;
  const result = jsonResult({ ok: true, bytes: Buffer.byteLength(String(args["content"])) });
  return { ...result, ...(details !== undefined && { details }) };
}

/** The exit code of coreutils' `timeout`. */
const TIMED_OUT = 124;

/** Runs a command and keeps `limit` bytes of each stream. A failed command is a result with `"ok": false`, not an error. */
export async function shellExec(
  args: JsonObject,
  context: BuiltinToolContext,
  { limit, ...options }: ShellOptions & { readonly limit: number },
): Promise<ToolResult> {
  const seconds = Number(args["timeout_s"] ?? 120);
  const command = String(args["cmd"]);
  const end = await runGranted({ ...options, command, cwd: context.cwd, seconds, separate: limit }, context);
  const streams = streamsOf(end, seconds, limit);
  const bytes = [end.output, end.errors].reduce((sum, stream) => sum + (stream?.bytes ?? 0), 0);
  const { exit_code, truncated } = streams;
  const details = { exit_code, truncated, bytes };
  return { ...jsonResult({ ok: exit_code === 0, ...streams }), details };
}

function streamsOf(end: GrantedEnd, seconds: number, limit: number) {
  const { output, errors, note, refused, timedOut } = end;
  const notes = [
    ...(timedOut ? [`[timed out after ${secondsText(seconds)}]`] : []),
    ...(note === "" ? [] : [note]),
    ...(refused === undefined ? [] : [`[${refused}]`]),
  ];
  const stderr = errors?.textWithin(limit) ?? "";
  return {
    exit_code: exitCodeOf(end),
    stdout: output.textWithin(limit),
    stderr: [...(stderr === "" ? [] : [stderr.replace(/\n$/, notes.length === 0 ? "\n" : "")]), ...notes].join("\n"),
    truncated: !timedOut && [output, errors].some((stream) => (stream?.bytes ?? 0) > limit),
  };
}

/** The exit code as a shell reports it. */
function exitCodeOf({ timedOut, shell: { exitCode, signalCode } }: GrantedEnd): number {
  if (timedOut) return TIMED_OUT;
  if (exitCode !== null) return exitCode;
  const signal = Object.entries(constants.signals).find(([name]) => name === signalCode)?.[1];
  return 128 + (signal ?? 0);
}

const jsonResult = (value: unknown): ToolResult => textResult(JSON.stringify(value));
