import { resolve } from "node:path";
import { buildExecutable, copyExecutable } from "../../scripts/build-executable.ts";

/** The executable that a full run has built, or that the environment names. Absolute. */
export const builtExecutable = (): string | undefined => {
  const path = process.env["MDX_AI_EXECUTABLE"];
  return path === undefined ? undefined : resolve(path);
};

/** Copies that executable to a path, or builds one there. Absolute. */
export async function placeExecutable(outfile: string): Promise<void> {
  const built = builtExecutable();
  if (built === undefined) await buildExecutable({ outfile });
  else await copyExecutable(built, { outfile });
}
