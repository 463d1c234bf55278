import { isList, isRecord } from "@mdx-ai/parser/record";
import { sourceLayout } from "@mdx-ai/runtime/layout";
import { DirectoryError } from "../../directory-error.ts";
import { isLockedServer } from "../manifest-server.ts";
import { SourceBudget } from "../source-budget.ts";
import type { LockDocument, LockedTool } from "./lock-document.ts";

/** The name of a directory's lock file. */
export const LOCK_FILE: string = sourceLayout("").lockFile;

/** Reads a lock file. Throws `DirectoryError` if it is missing, broken, of another version or too large. */
export function readLock(file: string): LockDocument {
  const value = parse(file, readText(file));
  if (isLockDocument(value)) return value;
  throw new DirectoryError("lock", `${file} is not a lock file of this version; write a new one with mdx-ai lock`);
}

function readText(file: string): string {
  const bytes = new SourceBudget(LIMITS).read(file);
  if (bytes === undefined) throw new DirectoryError("lock", `cannot read ${file}; write it with mdx-ai lock`);
  return Buffer.from(bytes).toString();
}

/** More than any directory within its limits needs. */
const LIMITS = { files: 1, megabytes: 64 };

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DirectoryError("lock", `${file} is not JSON; write a new one with mdx-ai lock`, { cause });
  }
}

function isLockDocument(value: unknown): value is LockDocument {
  if (!isRecord(value) || value["version"] !== 1) return false;
  const { name, prose, tools, files, packages, permissions, sandbox, mcp, skills, settings } = value;
  const hasHashes = [files, packages, skills].every((hashes) => isRecordOf(hashes, isText));
  const hasServers = mcp === undefined || isRecordOf(mcp, isLockedServer);
  const hasPowers = isRecordOf(tools, isLockedTool) && isList(permissions, isRule) && hasServers;
  const { skillTools = [] } = value;
  const isWhole = hasHashes && hasPowers && isList(skillTools, isSkillTool);
  return isText(name) && isText(prose) && isWhole && isSandbox(sandbox) && isRecord(settings);
}

function isLockedTool(value: unknown): value is LockedTool {
  if (!isRecord(value)) return false;
  const { description, code, schema, env, network, files, permission } = value;
  const isListed = isTextList(env) && (network === undefined || isTextList(network));
  const isDecided = permission === undefined || PERMISSION_ACTIONS.includes(permission);
  const isReaching =
    files === undefined || (isRecord(files) && isTextList(files["read"]) && isTextList(files["write"]));
  return isText(description) && isText(code) && isRecord(schema) && isListed && isDecided && isReaching;
}

function isSkillTool(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { skill, name, entrypoint, schema, grpc = "", proto = "" } = value;
  return [skill, name, entrypoint, grpc, proto].every(isText) && isRecord(schema);
}

const PERMISSION_ACTIONS: readonly unknown[] = ["allow", "ask", "deny"];
const MODES: readonly unknown[] = [undefined, "auto", "required", "off"];

const isRule = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && PERMISSION_ACTIONS.includes(value[1]);

function isSandbox(value: unknown): boolean {
  if (!isRecord(value)) return MODES.includes(value);
  const { mode, network } = value;
  return MODES.includes(mode) && (network === undefined || network === "all" || isTextList(network));
}

const isTextList = (value: unknown): boolean => isList(value, isText);

const isText = (value: unknown): value is string => typeof value === "string";

const isRecordOf = (value: unknown, accepts: (inner: unknown) => boolean): boolean =>
  isRecord(value) && Object.values(value).every(accepts);
