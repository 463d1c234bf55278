import { readFileSync } from "node:fs";
import { UsageError } from "../../failures/usage-error.ts";
import { isRecord } from "../../record.ts";
import type { LockDocument, LockedTool } from "./lock-document.ts";

/** The name of a directory's lock file. */
export const LOCK_FILE = "agent.lock.json";

/** Reads a lock file. Throws `UsageError` where there is none, or it is broken or of another version. */
export function readLock(file: string): LockDocument {
  const value = parse(file, readText(file));
  if (isLockDocument(value)) return value;
  throw new UsageError(`${file} is no lock file of this version; write it anew with mdx-ai lock`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`${file} cannot be read; write it with mdx-ai lock`, { cause });
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${file} is not JSON; write it anew with mdx-ai lock`, { cause });
  }
}

function isLockDocument(value: unknown): value is LockDocument {
  if (!isRecord(value) || value["version"] !== 1) return false;
  const { name, prose, tools, files, packages, permissions, skills, settings } = value;
  const hasHashes = [files, packages, skills].every((hashes) => isRecordOf(hashes, isText));
  const hasPowers = isRecordOf(tools, isLockedTool) && Array.isArray(permissions) && permissions.every(isRule);
  return isText(name) && isText(prose) && hasHashes && hasPowers && isRecord(settings);
}

function isLockedTool(value: unknown): value is LockedTool {
  if (!isRecord(value)) return false;
  const { description, code, schema, env, network, files } = value;
  const isListed = isTextList(env) && (network === undefined || isTextList(network));
  const isReaching =
    files === undefined || (isRecord(files) && isTextList(files["read"]) && isTextList(files["write"]));
  return isText(description) && isText(code) && isRecord(schema) && isListed && isReaching;
}

const isRule = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && value.every(isText);

const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const isText = (value: unknown): value is string => typeof value === "string";

const isRecordOf = (value: unknown, accepts: (inner: unknown) => boolean): boolean =>
  isRecord(value) && Object.values(value).every(accepts);
