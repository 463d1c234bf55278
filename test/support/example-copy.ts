import { cpSync } from "node:fs";
import { join, relative } from "node:path";

const EXAMPLES = join(import.meta.dir, "../../examples");

/** Whether a path is a folder that runs leave in an example, which the repository ignores. Absolute. */
export const isLeftByRun = (path: string): boolean =>
  /^[^/.]+\/(?:sessions|state|logs)$/.test(relative(EXAMPLES, path));

/** Copies the folder of the examples, or one of them, as a clone has it. */
export function copyExamples(to: string, name = ""): void {
  cpSync(join(EXAMPLES, name), to, { recursive: true, filter: (source) => !isLeftByRun(source) });
}
