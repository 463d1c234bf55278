/** Does work for each item, two at a time, and gives the results in the order of the items. */
export async function inPairs<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    // Both take from one iterator, so that each item is taken once.
    for (const [place, item] of left) results[place] = await work(item);
  };
  await Promise.all([worker(), worker()]);
  return results;
}
