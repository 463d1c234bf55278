import type { PermissionAction } from "@mdx-ai/parser";
import { ANY_FILE, ANY_HOST, type Entry, entryName } from "../entries.ts";

/** How much a difference matters to the reviewer of the earlier state. */
export type Grade =
  /** It may do more. */
  | "widened"
  /** It does something else, which may be more. */
  | "changed"
  /** It may do less. */
  | "narrowed"
  /** Texts, models and other things that grant no power. */
  | "noted";

/** A difference between two states of an agent. */
export interface Difference {
  readonly grade: Grade;
  /** Such as `tool "greet"`. */
  readonly subject: string;
  /** Such as "network + evil.com" or "parameter times: type string → number"; one line. */
  readonly text: string;
}

/** Whether code, schemas or permissions widened or changed. */
export const needsReview = ({ grade }: Difference): boolean => grade === "widened" || grade === "changed";

export type EntriesByName = ReadonlyMap<string, Entry>;

/** An entry before and after; at least one of them exists. */
interface EntryChange {
  readonly from: Entry | undefined;
  readonly to: Entry | undefined;
}

/** All entries of both states, rules in their order. */
interface States {
  readonly before: EntriesByName;
  readonly after: EntriesByName;
}

/** How much the change of an entry matters; undefined if it does not differ, or is compared in detail elsewhere. */
export function gradeOf(change: EntryChange, states: States): Grade | undefined {
  const { from, to } = change;
  const one = to ?? from;
  switch (one?.kind) {
    case "code":
      return presenceGrade(change);
    case "host":
      if (to === undefined || !had(one, ANY_HOST, states)) return presenceGrade(change);
      // A list may name hosts that are not public, such as a server on this machine.
      return isPublic(one.aspect.replace(/^host /, "")) ? "narrowed" : "changed";
    case "file":
      return to !== undefined && had(one, ANY_FILE, states) ? "narrowed" : presenceGrade(change);
    case "tool permission":
      return rankOf(to) > rankOf(from) ? "widened" : "narrowed";
    case "rule":
      return ruleGrade(change, states);
    case "restriction":
      // Its end allows more.
      return presenceGrade({ from: to, to: from });
    case "order":
      return orderGrade(states);
    case "note":
      return "noted";
    case "detailed":
    case undefined:
      return undefined;
  }
}

const presenceGrade = ({ from, to }: EntryChange): Grade =>
  from === undefined ? "widened" : to === undefined ? "narrowed" : "changed";

/** Whether a tool had no limits of a kind before, and has a list of them now. */
const had = (one: Entry, aspect: string, { before }: States): boolean => before.has(entryName({ ...one, aspect }));

const isPublic = (host: string): boolean =>
  !/^(?:localhost|\[?[\d.:a-f]+\]?|.*\.(?:local|internal|localhost))(?::\d+)?$/i.test(host);

const RANK: Readonly<Record<PermissionAction, number>> = { deny: 0, ask: 1, allow: 2 };

/** Without an action a tool's calls are allowed, as far as rules say nothing else. */
const rankOf = (one: Entry | undefined): number => (isPermissionAction(one?.value) ? RANK[one.value] : RANK.allow);

const isPermissionAction = (value: string | undefined): value is PermissionAction =>
  value !== undefined && Object.hasOwn(RANK, value);

/** Asking may widen what was denied. Every rule takes precedence over a tool's own action. */
function ruleGrade({ from, to }: EntryChange, { before }: States): Grade {
  if (from !== undefined && to !== undefined) return rankOf(to) > rankOf(from) ? "widened" : "narrowed";
  if (to === undefined) return from?.value === "allow" ? "narrowed" : "widened";
  if (to.value !== "ask") return to.value === "allow" ? "widened" : "narrowed";
  const hasDenial = [...before.values()].some(
    ({ kind, value }) => /^(?:tool permission|rule)$/.test(kind) && value === "deny",
  );
  return hasDenial ? "changed" : "narrowed";
}

/** The last rule that matches a call decides, so the order of those that both have matters. */
function orderGrade({ before, after }: States): Grade | undefined {
  const rules = (one: EntriesByName, other: EntriesByName): readonly string[] =>
    [...one].flatMap(([name, { kind }]) => (kind === "rule" && other.has(name) ? [name] : []));
  return Bun.deepEquals(rules(before, after), rules(after, before)) ? undefined : "changed";
}
