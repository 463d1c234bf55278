import { readUserSettings, type UserSettings } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { plainLine } from "../plain-text.ts";
import { readSettingsFile, UserSettingsError } from "./settings-file.ts";

type Settings = UserSettings["settings"];

/**
 * What the user allows all agents, from `settings.yaml`; nothing if there is no such file. A file with a mistake is refused as a
 * whole with `UserSettingsError`, since what it was meant to deny must not be allowed; each mistake is shown.
 */
export async function userSettings(agentDir: string, context: CommandContext): Promise<Settings> {
  const file = readSettingsFile(agentDir, context);
  if (file === undefined) return {};
  const { settings, problems } = await readUserSettings(file.text, file.path);
  if (problems.length === 0) return settings;
  for (const { line, column, message, hint } of problems) {
    const below = hint === undefined ? "" : `\n  ${plainLine(hint)}`;
    context.stderr.write(`${plainLine(`${file.path}:${line}:${column}`)} error ${plainLine(message)}${below}\n`);
  }
  const [{ line, column } = { line: 1, column: 1 }] = problems;
  throw new UserSettingsError(`no agent runs until your settings are fixed: ${file.path}:${line}:${column}`);
}
