import { isRecord } from "@mdx-ai/base";
import type { PermissionDecision } from "../types/permission.ts";

/** Whether a value that came out of JSON is a decision about a call. */
export function isPermissionDecision(value: unknown): value is PermissionDecision {
  if (!isRecord(value)) return false;
  const { action, reason, id } = value;
  if (action === "deny") return typeof reason === "string";
  return action === "allow" && (id === undefined || typeof id === "string");
}
