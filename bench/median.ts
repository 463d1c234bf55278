/** The median; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}
