import { existsSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { configurationDirectory, errorCode, isWithin } from "@mdx-ai/base";
import { realPathOrSame, requireAllUnshared, SharedFileError } from "@mdx-ai/base/disk";
import { readUserSettings, type UserSettings } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import { checkedPaths } from "./sandbox-paths.ts";

interface SettingsText {
  /** The path as the user knows it. Absolute. */
  readonly path: string;
  readonly text: string;
}

/** The maximum bytes; a handwritten file is shorter. */
const MAX_BYTES = 2 ** 20;
const OTHER_NAMES = ["settings.yml", "settings.json"];

/**
 * The text of the user's settings; undefined if there is no such file. Throws `DirectoryError` ("settings") if it cannot be read, or if
 * another user could have written it, or the agent, because the file or its target is in the agent directory.
 */
function readSettingsFile(agentDir: string, { environment }: Pick<FrontEnd, "environment">): SettingsText | undefined {
  const folder = configurationDirectory(environment);
  if (folder === undefined) return undefined;
  const path = join(folder, "settings.yaml");
  const stats = statsOf(path);
  if (stats === undefined) return refuseOtherName(folder);
  const problem = problemOf(path, stats) ?? pathProblem(path, agentDir);
  if (problem !== undefined) throw new DirectoryError("settings", problem);
  return { path, text: tryTo(path, () => readFileSync(path, "utf8")) };
}

/** Follows a link. A dangling link does not count as a missing file: its target may have contained denials. */
function statsOf(path: string): Stats | undefined {
  return tryTo(path, () => {
    const stats = lookAt(path);
    return stats?.isSymbolicLink() ? statSync(path) : stats;
  });
}

/** Throws if the settings file has a name that is not read: its denials would be ignored. */
function refuseOtherName(folder: string): undefined {
  const other = OTHER_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (other === undefined) return undefined;
  throw new DirectoryError("settings", `${other} is ignored: your settings are read from settings.yaml; rename it`);
}

/** Undefined if there is no such file, or one of its folders is a file. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Why the file is not safe: it decides what agents may do as this user, so no one else may write it. */
function problemOf(path: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return `${path} is not a file`;
  if (stats.size > MAX_BYTES) return `${path} is larger than 1 MiB`;
  const folder = dirname(path);
  try {
    requireAllUnshared([
      [path, stats],
      [folder, tryTo(path, () => statSync(folder))],
    ]);
    return undefined;
  } catch (error) {
    if (error instanceof SharedFileError) return error.message;
    throw error;
  }
}

/** An agent must not be able to change its own permissions. */
function pathProblem(path: string, agentDir: string): string | undefined {
  const agent = realPathOrSame(agentDir);
  const isReachable = [path, realPathOrSame(dirname(path)), tryTo(path, () => realpathSync.native(path))].some(
    (candidate) => isWithin(agent, candidate),
  );
  return isReachable
    ? `${path} is in the agent directory ${agent}, so the agent could change its own permissions; keep the agent in a folder of its own, or set XDG_CONFIG_HOME`
    : undefined;
}

function tryTo<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new DirectoryError("settings", `cannot read ${path} (${errorCode(cause) ?? String(cause)})`, { cause });
  }
}

type Settings = UserSettings["settings"];

/**
 * The user's settings for all agents, from `settings.yaml`; empty if there is no such file. A file with a mistake is rejected as a
 * whole with `DirectoryError` ("settings"), so that no intended denial is lost; each mistake is a notice. `dataDir` contains the
 * agent's data, if it is not the agent directory. Sandbox paths are absolute real paths.
 */
export async function userSettings(agentDir: string, frontEnd: FrontEnd, dataDir?: string): Promise<Settings> {
  const file = readSettingsFile(agentDir, frontEnd);
  if (file === undefined) return {};
  const { settings, problems, sandboxPaths } = await readUserSettings(file.text, file.path);
  const own = dataDir === undefined ? [agentDir] : [agentDir, dataDir];
  const { environment } = frontEnd;
  const checked = checkedPaths(problems.length === 0 ? sandboxPaths : [], { environment, own });
  const all = [...problems, ...checked.problems];
  for (const problem of all) frontEnd.onNotice({ type: "settings_problem", path: file.path, problem });
  const first = all.find(({ severity }) => severity === "error");
  if (first !== undefined) {
    const position = `${file.path}:${first.line}:${first.column}`;
    throw new DirectoryError("settings", `no agent runs until your settings are fixed: ${position}`);
  }
  return withPaths(settings, checked.paths);
}

function withPaths(settings: Settings, paths: ReturnType<typeof checkedPaths>["paths"]): Settings {
  const { sandbox } = settings;
  if (sandbox === undefined || typeof sandbox === "string") return settings;
  const { read: _read, write: _write, ...others } = sandbox;
  return { ...settings, sandbox: { ...others, ...paths } };
}
