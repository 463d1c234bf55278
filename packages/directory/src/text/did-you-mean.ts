/** "did you mean X?" for the name that is nearest to what was given; undefined where none is near. */
export async function didYouMean(given: string, names: readonly string[]): Promise<string | undefined> {
  const { closestMatch } = await import("leven");
  const nearest = closestMatch(given, names, { maxDistance: Math.max(2, Math.floor(given.length / 3)) });
  return nearest === undefined ? undefined : `did you mean ${nearest}?`;
}
