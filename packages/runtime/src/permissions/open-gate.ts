import type { PermissionGate } from "../types/permission.ts";

/** Lets every call through: for a replay, which runs nothing, and where a user runs a tool by hand. */
export const openGate: PermissionGate = {
  rule: async () => ({ verdict: "allow" }),
  ask: async () => ({ verdict: "allow" }),
  confirms: async () => true,
};
