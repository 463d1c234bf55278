import { existsSync, realpathSync } from "node:fs";

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
  const isMissing = !isInstalled(name);
  if (isMissing && (process.env["CI"] ?? "") !== "") {
    throw new Error(`${name} is not installed, and under CI no test may be skipped`);
  }
  return isMissing;
}

/** `bun run` puts itself on PATH as `node` where there is none; that is no Node. */
function isInstalled(name: string): boolean {
  const path = Bun.which(name);
  return path !== null && realpathSync(path) !== realpathSync(process.execPath);
}

/** The same for a file that comes with a Debian package. */
export function requireFile(path: string, debianPackage: string): boolean {
  const isMissing = !existsSync(path);
  if (isMissing && (process.env["CI"] ?? "") !== "") {
    throw new Error(`${path} of ${debianPackage} is missing, and under CI no test may be skipped`);
  }
  return isMissing;
}
