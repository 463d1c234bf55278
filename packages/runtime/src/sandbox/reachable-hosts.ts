import type { EnclosureRequest, SandboxOptions } from "./enclosure.ts";

/** The hosts that can be reached: all that the machine reaches, or a list. */
export function hostsOf(
  { purpose }: EnclosureRequest,
  { policy, toolNetwork }: SandboxOptions,
): "all" | readonly string[] {
  if (purpose === "shell") return policy.network === "none" ? [] : policy.network;
  if (toolNetwork === "none") return [];
  return (purpose === "prose" ? undefined : purpose.network) ?? "all";
}
