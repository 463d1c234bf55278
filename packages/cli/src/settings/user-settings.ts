import { readUserSettings, type UserSettings } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { plainLine } from "../plain-text.ts";
import { checkedPaths, type SettingsProblem } from "./sandbox-paths.ts";
import { readSettingsFile, UserSettingsError } from "./settings-file.ts";

type Settings = UserSettings["settings"];

/**
 * What the user allows all agents, from `settings.yaml`; nothing if there is no such file. A file with a mistake is refused as a
 * whole with `UserSettingsError`, since what it was meant to deny must not be allowed; each mistake is shown. `dataDir` holds the
 * agent's data, if that is not its directory. The paths of the sandbox are absolute and real.
 */
export async function userSettings(agentDir: string, context: CommandContext, dataDir?: string): Promise<Settings> {
  const file = readSettingsFile(agentDir, context);
  if (file === undefined) return {};
  const { settings, problems, sandboxPaths } = await readUserSettings(file.text, file.path);
  const own = dataDir === undefined ? [agentDir] : [agentDir, dataDir];
  const surroundings = { environment: context.environment, own };
  const checked = checkedPaths(problems.length === 0 ? sandboxPaths : [], surroundings);
  const all = [...problems, ...checked.problems];
  for (const problem of all) report(problem, file.path, context);
  const first = all.find(({ severity }) => severity === "error");
  if (first !== undefined) {
    const position = `${file.path}:${first.line}:${first.column}`;
    throw new UserSettingsError(`no agent runs until your settings are fixed: ${position}`);
  }
  return withPaths(settings, checked.paths);
}

function report(
  { line, column, severity, message, hint }: SettingsProblem,
  path: string,
  { stderr }: CommandContext,
): void {
  const below = hint === undefined ? "" : `\n  ${plainLine(hint)}`;
  stderr.write(`${plainLine(`${path}:${line}:${column}`)} ${severity} ${plainLine(message)}${below}\n`);
}

function withPaths(settings: Settings, paths: ReturnType<typeof checkedPaths>["paths"]): Settings {
  const { sandbox } = settings;
  if (sandbox === undefined || typeof sandbox === "string") return settings;
  const { read: _read, write: _write, ...others } = sandbox;
  return { ...settings, sandbox: { ...others, ...paths } };
}
