import type { SandboxMode } from "@mdx-ai/parser";
import { compareLists } from "./compare-schemas.ts";
import type { Difference, Grade } from "./difference.ts";
import type { LockDocument } from "./lock-document.ts";

const RANK: Readonly<Record<SandboxMode, number>> = { required: 0, auto: 1, off: 2 };

/** The differences of `sandbox`. */
export function compareSandboxes(
  before: LockDocument["sandbox"],
  after: LockDocument["sandbox"],
): readonly Difference[] {
  return [...compareModes(modeOf(before), modeOf(after)), ...compareNetworks(networkOf(before), networkOf(after))];
}

const modeOf = (sandbox: LockDocument["sandbox"]): SandboxMode =>
  typeof sandbox === "string" ? sandbox : (sandbox?.mode ?? "auto");

type Network = "all" | readonly string[];

const networkOf = (sandbox: LockDocument["sandbox"]): Network =>
  typeof sandbox === "string" ? [] : (sandbox?.network ?? []);

function compareModes(before: SandboxMode, after: SandboxMode): readonly Difference[] {
  if (before === after) return [];
  return [difference(RANK[after] > RANK[before] ? "widened" : "narrowed", `mode ${before} → ${after}`)];
}

function compareNetworks(before: Network, after: Network): readonly Difference[] {
  if (before === "all" || after === "all") {
    if (before === after) return [];
    return [difference(after === "all" ? "widened" : "narrowed", `network ${textOf(before)} → ${textOf(after)}`)];
  }
  const { added, removed } = compareLists(before, after);
  return [
    ...added.map((host) => difference("widened", `network + ${host}`)),
    ...removed.map((host) => difference("narrowed", `network - ${host}`)),
  ];
}

const textOf = (network: Network): string => (network === "all" ? "all" : network.join(", ") || "(none)");

const difference = (grade: Grade, text: string): Difference => ({ grade, subject: "sandbox", text });
