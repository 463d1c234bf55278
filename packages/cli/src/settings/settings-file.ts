import { existsSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { configurationDirectory, isWithin, realFolder } from "../places/user-directories.ts";
import { UserSettingsError } from "./user-settings-error.ts";

export interface SettingsText {
  /** Absolute, as the user knows it. */
  readonly path: string;
  readonly text: string;
}

/** What a user writes by hand is shorter. */
const MOST_BYTES = 2 ** 20;
const OTHER_NAMES = ["settings.yml", "settings.json"];
const OTHERS_MAY_WRITE = 0o022;

/**
 * The text of the user's own settings; undefined where there is no such file, which costs a few looks at the disk. Throws
 * `UserSettingsError` where it cannot be read, or somebody else could have written it: others on this machine, or the
 * agent, in whose directory it lies or to which it links.
 */
export function readSettingsFile(agentDir: string, { environment }: CommandContext): SettingsText | undefined {
  const folder = configurationDirectory(environment);
  if (folder === undefined) return undefined;
  const path = join(folder, "settings.yaml");
  const stats = statsOf(path);
  if (stats === undefined) return refuseOtherName(folder);
  const problem = problemOf(path, stats) ?? placeProblem(path, agentDir);
  if (problem !== undefined) throw new UserSettingsError(`${path} ${problem}`);
  return { path, text: tryTo(path, () => readFileSync(path, "utf8")) };
}

/** Of what a link leads to. One that leads nowhere is no missing file: what it led to may have held denials. */
function statsOf(path: string): Stats | undefined {
  return tryTo(path, () => {
    const stats = lookAt(path);
    return stats?.isSymbolicLink() ? statSync(path) : stats;
  });
}

/** Throws where the settings lie under a name that is not read: what they mean to deny would be allowed. */
function refuseOtherName(folder: string): undefined {
  const other = OTHER_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (other === undefined) return undefined;
  throw new UserSettingsError(`${other} would be passed over: your settings are read from settings.yaml; rename it`);
}

/** Undefined where there is no such file, nor can there be, since one of its folders is a file. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

function problemOf(path: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return "is no file";
  if (stats.size > MOST_BYTES) return "is larger than 1 MiB";
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const folder = tryTo(path, () => statSync(dirname(path)));
  for (const { uid, mode } of [stats, folder]) {
    if (uid !== user && uid !== 0) return "does not belong to you, and says what agents may do as you";
    if ((mode & OTHERS_MAY_WRITE) !== 0) {
      return "could be written by others, and says what agents may do as you; run chmod go-w on it and its folder";
    }
  }
  return undefined;
}

/** What an agent could write must not say what it may do. */
function placeProblem(path: string, agentDir: string): string | undefined {
  const agent = realFolder(agentDir);
  const isReachable = [path, realFolder(dirname(path)), tryTo(path, () => realpathSync.native(path))].some((place) =>
    isWithin(agent, place),
  );
  return isReachable
    ? `lies within the agent directory ${agent}, which could write what it may do; keep the agent in a folder of its own, or set XDG_CONFIG_HOME`
    : undefined;
}

function tryTo<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw new UserSettingsError(`${path} cannot be read (${String(code)})`, { cause });
  }
}
