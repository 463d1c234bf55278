import type { PermissionGate } from "./types/question.ts";

/** Allows every call: for a replay, which runs nothing. */
export const allowAllGate: PermissionGate = {
  rule: async () => ({ action: "allow" }),
  question: async () => ({ action: "allow" }),
  settle: async () => ({ action: "allow" }),
};
