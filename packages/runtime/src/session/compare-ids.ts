/** As long as any number within an id can be. */
const DIGITS = 128;

/**
 * Compares the ids of two sessions for sorting: by code units, the same on every machine, but numbers within them by what
 * they count, so that `2026-04-28_10` comes after `2026-04-28_9`.
 */
export const compareIds = (one: string, other: string): number => compare(key(one), key(other)) || compare(one, other);

const key = (id: string): string => id.replace(/\d+/g, (digits) => digits.padStart(DIGITS, "0"));

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
