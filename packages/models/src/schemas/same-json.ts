/** Whether two JSON values are the same, with their keys in the same order. */
export const isSame = (first: unknown, second: unknown): boolean => JSON.stringify(first) === JSON.stringify(second);
