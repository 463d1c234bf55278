import { isText, lineText, visibleText } from "@mdx-ai/base";
import { type Change, difference, needsReview, valueText } from "./difference.ts";
import { GRANT_KINDS, type Grant, grantsOf } from "./grants.ts";
import { type EntriesByName, type Entry, entriesByName } from "./manifest.ts";

/** A change of what an agent may do, in the words of the screen of power. */
export interface PowerChange {
  readonly sign: "+" | "-" | "~";
  /** Such as "host". */
  readonly kind: string;
  /** Such as "api.example.com". */
  readonly name: string;
  /** The part of the agent that it is about, if other parts have the same already. */
  readonly of?: string;
  /** The values before and after, if they can be read. */
  readonly values?: string;
  /** Whether the agent may do more, or something else. The same and less need no answer. */
  readonly isMore: boolean;
}

/** The changes of power from one state to another, those that need an answer first. Notes, such as prose, are none. */
export function powerDifference(before: readonly Entry[], after: readonly Entry[]): readonly PowerChange[] {
  const states = { before: entriesByName(before), after: entriesByName(after) };
  const changes = difference(before, after).filter(({ grade }) => grade !== "noted");
  const had = new Set(before.flatMap(grantsOf).map(subjectOf));
  const has = new Set(after.flatMap(grantsOf).map(subjectOf));
  const others = { "+": had, "-": has, "~": new Set<string>() };
  const told = changes.flatMap((change) => changesOf(change, states)).map((one) => toldChange(one, others[one.sign]));
  const byLine = Map.groupBy(told, powerChangeLine);
  const found = [...byLine.values()].flatMap((same) => ({ ...same[0], isMore: same.some(({ isMore }) => isMore) }));
  return found.filter(isWhole).toSorted(byImportance);
}

const isWhole = (change: Partial<PowerChange>): change is PowerChange => change.sign !== undefined;

/** Without the part of the agent, if no other part has or had the same. */
function toldChange({ of, ...change }: PowerChange, others: ReadonlySet<string>): PowerChange {
  return of !== undefined && others.has(subjectOf(change)) ? { ...change, of } : change;
}

const subjectOf = ({ kind, name }: Pick<Grant, "kind" | "name"> | PowerChange): string => JSON.stringify([kind, name]);

const byImportance = (one: PowerChange, other: PowerChange): number =>
  Number(other.isMore) - Number(one.isMore) || rank(one) - rank(other);

const KINDS: readonly string[] = GRANT_KINDS;

const rank = ({ kind }: PowerChange): number => KINDS.indexOf(kind);

interface States {
  readonly before: EntriesByName;
  readonly after: EntriesByName;
}

function changesOf(change: Change, { before, after }: States): readonly PowerChange[] {
  const [from, to] = [before.get(change.name), after.get(change.name)].map((entry) => (entry === undefined ? [] : grantsOf(entry))); // biome-ignore format: short
  const [earlier = [], later = []] = [from, to];
  const isMore = needsReview(change);
  const isIn = (grant: Grant, list: readonly Grant[]): boolean =>
    list.some((one) => subjectOf(one) === subjectOf(grant));
  return [
    ...later.map(
      (grant): PowerChange => ({
        sign: isIn(grant, earlier) ? "~" : "+",
        ...grant,
        ...valuesOf(change, grant, earlier),
        isMore,
      }),
    ),
    ...earlier.filter((grant) => !isIn(grant, later)).map((grant): PowerChange => ({ sign: "-", ...grant, isMore: later.length === 0 && isMore })), // biome-ignore format: short
  ];
}

/** Kinds whose values say more than their names. */
const VALUED: readonly string[] = [
  "mcp",
  "permission",
  "sandbox",
  "setting",
  "schedule",
  "model",
  "limit",
  "agent",
  "other",
];

function valuesOf({ name, from, to }: Change, grant: Grant, earlier: readonly Grant[]): { readonly values?: string } {
  if (!VALUED.includes(grant.kind) || to === undefined) return {};
  const isNew = !earlier.some((one) => subjectOf(one) === subjectOf(grant));
  const aspect = /: (?!program$|address$)(.*)$/.exec(grant.kind === "mcp" ? name : "")?.[1];
  const texts = [isNew ? undefined : from, to].flatMap((value) => (value === undefined ? [] : [valueText(value)]));
  return { values: [...(aspect === undefined ? [] : [aspect]), texts.join(" → ")].join(" ") };
}

/** A change on one line, as `visibleText` shows it: `+ host api.example.com`, `~ tool deploy`. */
export function powerChangeLine({ sign, kind, name, of, values }: Omit<PowerChange, "isMore">): string {
  const parts = [
    `${sign} ${kind} ${name}`.trimEnd(),
    of === undefined ? "" : ` for ${of}`,
    isText(values) ? ` (${values})` : "",
  ];
  return lineText(visibleText(parts.join("")));
}
