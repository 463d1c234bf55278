import type { PermissionGate } from "./types/question.ts";

/** Allows every call. For a replay, which runs no calls. */
export const allowAllGate: PermissionGate = {
  rule: async () => ({ action: "allow" }),
  question: async () => ({ action: "allow" }),
  settle: async () => ({ action: "allow" }),
};
