/** The names that only one of two records has, and those of both, sorted. */
export interface NameComparison {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly common: readonly string[];
}

/** Compares the own names of two records. */
export function compareNames(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): NameComparison {
  return compareLists(Object.keys(before), Object.keys(after));
}

/** Compares two lists whose order does not matter. */
export function compareLists(before: readonly string[], after: readonly string[]): NameComparison {
  return {
    added: after.filter((name) => !before.includes(name)).toSorted(),
    removed: before.filter((name) => !after.includes(name)).toSorted(),
    common: after.filter((name) => before.includes(name)).toSorted(),
  };
}

/** The own value of a name; records come from files, whose names can be anything. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
