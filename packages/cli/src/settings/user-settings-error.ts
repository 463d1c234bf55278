/** The user's own settings cannot be believed. What was wrong in the file was shown already, where there is more than one thing. */
export class UserSettingsError extends Error {
  override readonly name = "UserSettingsError";
}
