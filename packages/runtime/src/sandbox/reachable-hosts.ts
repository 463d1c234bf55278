import type { EnclosureRequest, SandboxOptions } from "./enclosure.ts";
import { openedHosts } from "./opened.ts";

/** The hosts that can be reached: all that the machine reaches, or a list. */
export function hostsOf(
  { purpose, opened = [] }: EnclosureRequest,
  { policy, toolNetwork }: SandboxOptions,
): "all" | readonly string[] {
  if (purpose === "shell") {
    if (policy.network === "all") return "all";
    const listed = policy.network === "none" ? [] : policy.network;
    return [...new Set([...listed, ...openedHosts(opened)])];
  }
  if (toolNetwork === "none") return [];
  return (purpose === "code" ? undefined : purpose.network) ?? "all";
}
