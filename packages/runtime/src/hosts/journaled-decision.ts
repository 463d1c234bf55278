import { isRecord } from "@mdx-ai/parser/record";
import type { PermissionDecision } from "../types/permission.ts";

/** A decision as a journal holds it. Earlier versions called its action `verdict`. */
export type JournaledDecision =
  | PermissionDecision
  | { readonly verdict: "allow"; readonly id?: string }
  | { readonly verdict: "deny"; readonly reason: string };

/** Whether a value that came out of JSON is a decision about a call. */
export function isJournaledDecision(value: unknown): value is JournaledDecision {
  if (!isRecord(value)) return false;
  const { verdict, action = verdict, reason, id } = value;
  return action === "deny"
    ? typeof reason === "string"
    : action === "allow" && (id === undefined || typeof id === "string");
}

/** The decision under its current name. */
export function permissionDecision(journaled: JournaledDecision): PermissionDecision {
  if ("action" in journaled) return journaled;
  if (journaled.verdict === "deny") return { action: "deny", reason: journaled.reason };
  const { id } = journaled;
  return { action: "allow", ...(id !== undefined && { id }) };
}
