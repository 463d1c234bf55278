import { closest } from "./suggestion.ts";

/** Settings that decide what code may do. A mistake in one has a hint and never a fix: a fix would guess at a grant. */
export const powerSettings: readonly string[] = ["permissions", "sandbox", "builtins", "tools"];

/** Settings of other programs that restrict or grant: an author who writes one relies on it. */
const powerSettingsOfOthers: readonly string[] = [
  ...["allowed-tools", "allowedTools", "disallowed-tools", "disallowedTools"],
  ...["permissionMode", "permission-mode"],
];

/** What to write in place of a setting of other programs. */
export const settingOfOthers = (name: string): string | undefined =>
  powerSettingsOfOthers.includes(name) ? "write `tools`, which restricts, or `permissions`" : undefined;

/** Attributes of a `<Tool>` that decide what its code may do; the same holds for them. */
export const powerAttributes: readonly string[] = ["permission", "network", "files", "env", "idempotent"];

/** Whether a top-level setting decides what code may do, or is a misspelling of one that does. */
export const isPowerSetting = (name: string): boolean =>
  powerSettingsOfOthers.includes(name) || closest(name, powerSettings) !== undefined;
