import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileIn = (state: string): string => join(state, "vi-keys");

/** Whether the user has switched vi keys on. `state` is the user's folder for state. */
export const isViOn = (state: string | undefined): boolean => state !== undefined && existsSync(fileIn(state));

/** Keeps for later conversations whether vi keys are on. Never throws: otherwise it holds for this one. */
export function keepVi(state: string | undefined, isOn: boolean): void {
  if (state === undefined) return;
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    if (isOn) writeFileSync(fileIn(state), "", { mode: 0o600 });
    else rmSync(fileIn(state), { force: true });
  } catch {
    // The folder cannot be written.
  }
}
