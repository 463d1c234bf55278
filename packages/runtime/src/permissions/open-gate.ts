import type { PermissionGate } from "../types/permission.ts";

/** Allows every call: for a replay, which runs nothing. */
export const openGate: PermissionGate = {
  rule: async () => ({ verdict: "allow" }),
  ask: async () => ({ verdict: "allow" }),
  confirms: async () => true,
};
