import type { Verdict } from "@mdx-ai/parser";
import { compareLists } from "./compare-names.ts";
import type { Difference, Grade } from "./difference.ts";
import type { LockDocument } from "./lock-document.ts";

type Locked = Pick<LockDocument, "permissions" | "tools">;

/**
 * The differences of `permissions`. The last rule that matches a call decides, so their order matters; every rule takes
 * precedence over a tool's own `permission`.
 */
export function comparePermissions(
  { permissions: before, tools }: Locked,
  { permissions: after }: Locked,
): readonly Difference[] {
  const [one, other] = [new Map(before), new Map(after)];
  const { added, removed, common } = compareLists([...one.keys()], [...other.keys()]);
  const hasDenial = [...one.values(), ...Object.values(tools).map(({ permission }) => permission)].includes("deny");
  return [
    ...added.map((pattern) => addition(pattern, other.get(pattern) ?? "allow", hasDenial)),
    ...removed.map((pattern) => removal(pattern, one.get(pattern) ?? "deny")),
    ...common.flatMap((pattern) => change(pattern, one.get(pattern), other.get(pattern)) ?? []),
    ...order(
      before.map(([pattern]) => pattern).filter((pattern) => common.includes(pattern)),
      after.map(([pattern]) => pattern).filter((pattern) => common.includes(pattern)),
    ),
  ];
}

const SUBJECT = "permissions";

/** Asking may widen what was denied. */
function addition(pattern: string, verdict: Verdict, hasDenial: boolean): Difference {
  const grades: Readonly<Record<Verdict, Grade>> = {
    allow: "widened",
    ask: hasDenial ? "changed" : "narrowed",
    deny: "narrowed",
  };
  return { grade: grades[verdict], subject: SUBJECT, text: `+ ${pattern}: ${verdict}` };
}

function removal(pattern: string, verdict: Verdict): Difference {
  return { grade: verdict === "allow" ? "narrowed" : "widened", subject: SUBJECT, text: `- ${pattern}: ${verdict}` };
}

function change(pattern: string, from: Verdict | undefined, to: Verdict | undefined): Difference | undefined {
  if (from === undefined || to === undefined || from === to) return undefined;
  return { grade: compareVerdicts(from, to), subject: SUBJECT, text: `${pattern}: ${from} → ${to}` };
}

function order(before: readonly string[], after: readonly string[]): readonly Difference[] {
  if (before.join("\n") === after.join("\n")) return [];
  return [{ grade: "changed", subject: SUBJECT, text: `order ${before.join(", ")} → ${after.join(", ")}` }];
}

const RANK: Readonly<Record<Verdict, number>> = { deny: 0, ask: 1, allow: 2 };

/** Whether replacing one verdict by another widens or narrows power. */
export function compareVerdicts(before: Verdict, after: Verdict): Grade {
  if (before === after) return "noted";
  return RANK[after] > RANK[before] ? "widened" : "narrowed";
}
