/**
 * Whether tests that need a program must be skipped since it is not installed. Where `CI` is set all of them must run:
 * there it throws instead.
 *
 * @example
 * ```ts
 * describe.skipIf(requireProgram("tmux"))("in a terminal", () => {});
 * ```
 */
export function requireProgram(name: string): boolean {
  const isMissing = Bun.which(name) === null;
  if (isMissing && (process.env["CI"] ?? "") !== "") {
    throw new Error(`${name} is not installed, and under CI no test may be skipped`);
  }
  return isMissing;
}
