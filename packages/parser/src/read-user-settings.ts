import type { UserSettings } from "./settings/parse-user-settings.ts";

export type { UserSandboxPath, UserSettings } from "./settings/parse-user-settings.ts";

/**
 * Reads the text of a user's own settings file: YAML that `userSettingsSchema` describes. Wrong settings are reported and left
 * out; `file` is the name in the diagnostics. Never rejects. The YAML reader is loaded with the first call.
 */
export async function readUserSettings(text: string, file = "settings.yaml"): Promise<UserSettings> {
  const { parseUserSettings } = await import("./settings/parse-user-settings.ts");
  return parseUserSettings(text, file);
}
