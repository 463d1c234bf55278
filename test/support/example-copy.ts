import { cpSync } from "node:fs";
import { join, relative } from "node:path";

const EXAMPLES = join(import.meta.dir, "../../examples");

/** What runs leave in an example, which the repository ignores. */
const LEFT_BEHIND = /^[^/]+\/(?:sessions|state|logs)$/;

/** Copies the folder of the examples, or one of them, as a clone has it. */
export function copyExamples(to: string, name = ""): void {
  cpSync(join(EXAMPLES, name), to, {
    recursive: true,
    filter: (source) => !LEFT_BEHIND.test(relative(EXAMPLES, source)),
  });
}
