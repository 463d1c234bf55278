import { isRecord } from "@mdx-ai/base";

/** What a file held before a tool changed it. */
export type KeptContent =
  | { readonly state: "absent" }
  /** The session's folder has it by its address, the SHA-256. `hash` is its `contentHash`. */
  | { readonly state: "kept"; readonly address: string; readonly hash: string; readonly mode: number }
  | { readonly state: "left_out"; readonly reason: string };

/** A tool read a file, as `SeenContent`: a later change was made by someone else. */
interface ReadFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly seen: { readonly version: string; readonly hash?: string };
}

/** A builtin tool replaces a file; journaled before it does. */
export interface WrittenFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Absent if a tool of the same prompt left that content there. */
  readonly before?: KeptContent;
  /** `contentHash` of the new content. */
  readonly after: string;
}

/** What a prompt journals about a file. */
export type FileRecord = ReadFile | WrittenFile;

/** Whether a value that came out of JSON is a record about a file. */
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
