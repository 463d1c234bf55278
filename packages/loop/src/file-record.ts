import { isRecord } from "@mdx-ai/base";

/** The content of a file before a tool changed it. */
export type KeptContent =
  | { readonly state: "absent" }
  /** Stored in the session's folder under its address, the SHA-256. `hash` is its `contentHash`. */
  | { readonly state: "kept"; readonly address: string; readonly hash: string; readonly mode: number }
  | { readonly state: "left_out"; readonly reason: string };

/** A tool read a file: a later change that it did not make is detected. */
interface ReadFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly seen: { readonly version: string; readonly hash?: string };
}

/** A builtin tool replaces a file; journaled before the write. */
export interface WrittenFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Absent if a tool of the same prompt wrote that content. */
  readonly before?: KeptContent;
  /** `contentHash` of the new content. */
  readonly after: string;
}

/** A journaled record about a file. */
export type FileRecord = ReadFile | WrittenFile;

/** Whether a parsed JSON value is a record about a file. */
export function isFileRecord(value: unknown): value is FileRecord {
  if (!isRecord(value) || typeof value["path"] !== "string") return false;
  const { seen, before, after } = value;
  if (seen === undefined) return typeof after === "string" && (before === undefined || isKeptContent(before));
  return isRecord(seen) && [seen["version"], seen["hash"] ?? ""].every((part) => typeof part === "string");
}

function isKeptContent(value: unknown): value is KeptContent {
  if (!isRecord(value)) return false;
  const { state, address, hash, mode, reason } = value;
  if (state === "kept") return [address, hash].every((part) => typeof part === "string") && typeof mode === "number";
  return state === "absent" || (state === "left_out" && typeof reason === "string");
}
