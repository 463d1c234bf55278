/**
 * Seconds since 1970 at which nobody wrote a file: the time of change of what stands in an agent directory only because a
 * sandbox needs a place to mount upon. Whoever writes to it takes it over.
 */
export const PLACEHOLDER_TIME = 981_173_106;

/** More bytes than a placeholder has. */
const TOO_MANY = 64;

/** What is looked at of a file. */
interface FileStats {
  readonly mtimeMs: number;
  readonly size: number;
  isDirectory(): boolean;
  isFile(): boolean;
}

/**
 * Whether something that was looked at is such a placeholder, and so counts as absent.
 *
 * @example
 * ```ts
 * const isThere = !isPlaceholder(lstatSync("my-agent/heartbeat.md"));
 * ```
 */
export const isPlaceholder = (stats: FileStats): boolean =>
  stats.mtimeMs === PLACEHOLDER_TIME * 1000 && (stats.isDirectory() || (stats.isFile() && stats.size < TOO_MANY));
