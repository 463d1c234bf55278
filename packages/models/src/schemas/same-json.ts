/** Whether two JSON values are equal, including the order of keys. */
export const isSame = (first: unknown, second: unknown): boolean => JSON.stringify(first) === JSON.stringify(second);
