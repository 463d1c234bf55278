/**
 * The modification time, in seconds since 1970, that marks a file or folder which exists only because a sandbox needs a
 * mount point. Writing to it makes it an ordinary file.
 */
export const PLACEHOLDER_TIME = 981_173_106;

/** More bytes than a placeholder has. */
const TOO_MANY = 64;

/** The properties of a file that matter here. */
interface FileStats {
  readonly mtimeMs: number;
  readonly size: number;
  isDirectory(): boolean;
  isFile(): boolean;
}

/**
 * Whether a file or folder is such a placeholder and so counts as absent.
 *
 * @example
 * ```ts
 * const isThere = !isPlaceholder(lstatSync("my-agent/heartbeat.md"));
 * ```
 */
export const isPlaceholder = (stats: FileStats): boolean =>
  stats.mtimeMs === PLACEHOLDER_TIME * 1000 && (stats.isDirectory() || (stats.isFile() && stats.size < TOO_MANY));
