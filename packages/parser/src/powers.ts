import { closest } from "./suggestion.ts";

/** Settings that decide what code may do. A mistake in one has a hint and never a fix: a fix would guess at a grant. */
export const powerSettings: readonly string[] = ["permissions", "sandbox"];

/** Attributes of a `<Tool>` that decide what its code may do; the same holds for them. */
export const powerAttributes: readonly string[] = ["permission", "network", "files", "env", "idempotent"];

/** Whether a top-level setting decides what code may do, or is a misspelling of one that does. */
export const isPowerSetting = (name: string): boolean => closest(name, powerSettings) !== undefined;
