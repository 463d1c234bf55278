import type { UserSettings } from "./settings/parse-user-settings.ts";

export type { UserSettings } from "./settings/parse-user-settings.ts";

/**
 * Reads the text of a user's own settings file: YAML that `userSettingsSchema` describes. What is wrong is told and left
 * out; `file` names the file in what is told. Never rejects. The YAML reader is loaded with the first call.
 */
export async function readUserSettings(text: string, file = "settings.yaml"): Promise<UserSettings> {
  const { parseUserSettings } = await import("./settings/parse-user-settings.ts");
  return parseUserSettings(text, file);
}
