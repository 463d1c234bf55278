import { closest } from "@mdx-ai/base";

/** Settings that decide what code may do. A mistake in one has a hint and never a fix: a fix would guess at a grant. */
export const powerSettings: readonly string[] = [
  "permissions",
  "sandbox",
  "credentials",
  "builtins",
  "tools",
  "mcp",
  "memory",
  "hooks",
];

/**
 * Settings of other programs that restrict, grant or run something, in small letters and without `-` and `_`, each with what to write
 * here: an author who writes one relies on it.
 */
const powerSettingsOfOthers: ReadonlyMap<string, string> = new Map([
  ...["allowedtools", "disallowedtools", "excludetools", "permissionmode", "approvalpolicy", "approvalmode"].map(
    (name) => [name, "write `tools`, which restricts, or `permissions`"] as const,
  ),
  ...["readonly", "disable", "disabled", "disablemodelinvocation", "userinvocable"].map(
    (name) => [name, "write `permissions`, or `builtins: off`"] as const,
  ),
  ...["maxturns", "maxsteps", "steps", "maxiterations"].map((name) => [name, "write `limits: {turns: 20}`"] as const),
  ...["timeoutmins", "timeoutms", "maxbudgetusd"].map((name) => [name, "write `limits`"] as const),
  ["mcpservers", "write the servers under `mcp`"],
  ["lspservers", "remove it: nothing starts such servers yet"],
  ["sandboxmode", "write `sandbox: required`"],
  ["isolation", "remove it: an agent works in the folder that `--workspace` names"],
]);

/** What to write in place of a setting of other programs that restricts, grants or runs something. */
export const settingOfOthers = (name: string): string | undefined =>
  powerSettingsOfOthers.get(name.toLowerCase().replace(/[-_]/g, ""));

/** Attributes of a `<Tool>` that decide what its code may do; the same holds for them. */
export const powerAttributes: readonly string[] = ["permission", "network", "files", "env", "idempotent"];

/** Whether a top-level setting decides what code may do or runs some, or is a misspelling of one that does. */
export const isPowerSetting = (name: string): boolean =>
  settingOfOthers(name) !== undefined || closest(name, powerSettings) !== undefined;
