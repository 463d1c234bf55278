import { isJsonList, isText, type JsonValue, lineText, visibleText } from "@mdx-ai/base";
import { type EntriesByName, type Entry, entriesByName, PRESENT } from "./manifest.ts";

/** How a change affects what the user has agreed to. */
export type Grade =
  /** The agent may do more. */
  | "widened"
  /** The agent does something else, possibly more. */
  | "changed"
  /** The agent may do less. */
  | "narrowed"
  /** Only texts or other properties changed, which grant nothing. */
  | "noted";

/** A difference between two states of an agent. */
export interface Change {
  readonly grade: Grade;
  readonly type: "added" | "removed" | "changed";
  /** Such as `tool "greet": host api.example.com` or `module file modules/clock.ts`. */
  readonly name: string;
  /** The values before and after, unless they are hashes. */
  readonly from?: JsonValue;
  readonly to?: JsonValue;
}

/** Whether the agent may do more, or something else. */
export const needsReview = ({ grade }: Pick<Change, "grade">): boolean => grade === "widened" || grade === "changed";

/** The changes from one state to another, sorted by name. */
export function difference(before: readonly Entry[], after: readonly Entry[]): readonly Change[] {
  const states = { before: entriesByName(before), after: entriesByName(after) };
  const names = [...new Set([...states.before.keys(), ...states.after.keys()])].sort();
  return names.flatMap((name) => changeOf(name, states) ?? []);
}

interface States {
  readonly before: EntriesByName;
  readonly after: EntriesByName;
}

function changeOf(name: string, states: States): Change | undefined {
  const [from, to] = [states.before.get(name), states.after.get(name)];
  if (from !== undefined && to !== undefined && Bun.deepEquals(from.value, to.value)) return undefined;
  return {
    grade: gradeOf(from, to, states),
    type: from === undefined ? "added" : to === undefined ? "removed" : "changed",
    name,
    ...(isShown(from) && { from: from.value }),
    ...(isShown(to) && { to: to.value }),
  };
}

const isShown = (entry: Entry | undefined): entry is Entry =>
  entry !== undefined && entry.value !== PRESENT && !isHash(entry.value);

/** Matches a SHA-256, which is meaningless to people. */
const isHash = (value: JsonValue): boolean => isText(value) && /^(?:sha256:)?[0-9a-f]{64}$/.test(value);

function gradeOf(from: Entry | undefined, to: Entry | undefined, states: States): Grade {
  switch ((to ?? from)?.effect) {
    case "restricts":
      return presenceGrade(to, from);
    case "decides":
      return decisionGrade(from, to, states);
    case "orders":
      return isSameOrder(from, to) ? "noted" : "changed";
    case "limits":
      return limitGrade(from, to);
    case "notes":
      return "noted";
    default:
      return to?.within !== undefined && states.before.has(to.within) ? "narrowed" : presenceGrade(from, to);
  }
}

const presenceGrade = (from: Entry | undefined, to: Entry | undefined): Grade =>
  from === undefined ? "widened" : to === undefined ? "narrowed" : "changed";

/** The actions of permissions and the modes of the sandbox, the strictest first. */
const RANKS: ReadonlyMap<unknown, number> = new Map<unknown, number>(
  Object.entries({ deny: 0, ask: 1, allow: 2, required: 0, auto: 1, off: 2 }),
);

/** A missing limit counts as its default, or as unlimited. */
function limitGrade(from: Entry | undefined, to: Entry | undefined): Grade {
  const amount = (one: Entry | undefined, other: Entry | undefined): number =>
    Number(one?.value ?? other?.otherwise ?? Number.POSITIVE_INFINITY);
  const [earlier, later] = [amount(from, to), amount(to, from)];
  return later > earlier ? "widened" : later < earlier ? "narrowed" : "noted";
}

/** A rule overrides all other decisions, so a rule that asks widens a denial. */
function decisionGrade(from: Entry | undefined, to: Entry | undefined, { before }: States): Grade {
  const [earlier, later] = [from?.value ?? to?.otherwise, to?.value ?? from?.otherwise];
  if (earlier !== undefined && later !== undefined)
    return (RANKS.get(later) ?? 2) > (RANKS.get(earlier) ?? 0) ? "widened" : "narrowed";
  if (later === undefined) return earlier === "allow" ? "narrowed" : "widened";
  if (later === "allow") return "widened";
  const isDenying = before.values().some(({ effect, value }) => effect === "decides" && value === "deny");
  return later === "ask" && isDenying ? "changed" : "narrowed";
}

/** Whether the common rules of both lists are in the same order: the last matching rule decides. */
function isSameOrder(from: Entry | undefined, to: Entry | undefined): boolean {
  const [one, other] = [listOf(from), listOf(to)];
  return Bun.deepEquals(
    one.filter((item) => other.includes(item)),
    other.filter((item) => one.includes(item)),
  );
}

function listOf(entry: Entry | undefined): readonly JsonValue[] {
  const value = entry?.value ?? [];
  return isJsonList(value) ? value : [];
}

const SIGNS: Readonly<Record<Change["type"], string>> = { added: "+", removed: "-", changed: "~" };

/** A change on one line, as `visibleText` shows it, with line breaks as `\n`: `+ tool "greet": host a.com`, or `~ permission bash (ask → allow)`. */
export function changeLine(change: Change): string {
  const { type, name, from, to } = change;
  const values = isLong(change) ? [] : [from, to].flatMap((value) => (value === undefined ? [] : [valueText(value)]));
  const text = type === "changed" && values.length === 1 ? "" : values.join(" → ");
  return lineText(visibleText(`${SIGNS[type]} ${name}${text === "" ? "" : ` (${text})`}`));
}

/** The texts of both values, if they do not fit on the line of the change. */
export function longValues(change: Change): readonly [from: string, to: string] | undefined {
  const { from, to } = change;
  if (from === undefined || to === undefined || !isLong(change)) return undefined;
  return [linesOf(from), linesOf(to)];
}

const MAX_VALUE = 120;

const isLong = ({ from, to }: Change): boolean =>
  [from, to].some((value) => value !== undefined && /\n|^.{121}/.test(valueText(value)));

/** A value for display, on one line if it has only one. */
export const valueText = (value: JsonValue): string => (isText(value) ? value : JSON.stringify(value));

const linesOf = (value: JsonValue): string => (isText(value) ? value : JSON.stringify(value, undefined, 2));

/** Whether the value of an entry is short and readable. */
export const saysMuch = (entry: Entry): boolean => isShown(entry) && valueText(entry.value).length <= MAX_VALUE;
