import { readUserSettings, type UserSettings } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { Surroundings } from "../surroundings.ts";
import { checkedPaths } from "./sandbox-paths.ts";
import { readSettingsFile } from "./settings-file.ts";

type Settings = UserSettings["settings"];

/**
 * What the user allows all agents, from `settings.yaml`; nothing if there is no such file. A file with a mistake is refused as a
 * whole with `DirectoryError` ("settings"), since what it was meant to deny must not be allowed; each mistake is a notice. `dataDir` holds the
 * agent's data, if that is not its directory. The paths of the sandbox are absolute and real.
 */
export async function userSettings(agentDir: string, surroundings: Surroundings, dataDir?: string): Promise<Settings> {
  const file = readSettingsFile(agentDir, surroundings);
  if (file === undefined) return {};
  const { settings, problems, sandboxPaths } = await readUserSettings(file.text, file.path);
  const own = dataDir === undefined ? [agentDir] : [agentDir, dataDir];
  const { environment } = surroundings;
  const checked = checkedPaths(problems.length === 0 ? sandboxPaths : [], { environment, own });
  const all = [...problems, ...checked.problems];
  for (const problem of all) surroundings.onNotice({ type: "settings_problem", path: file.path, problem });
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
