import { join } from "node:path";
import { seccompFilter } from "./seccomp-filter.ts";

/** The file of the runtime that holds the filters. Absolute. */
export const FILTERS_FILE: string = join(import.meta.dir, "../../packages/sandbox/src/kernel/seccomp-filters.ts");

const LINE_LENGTH = 100;

/** The content of that file. */
export const filtersFile = (): string => `// Written by \`npm run seccomp\` from scripts/seccomp.
/** Filters of system calls, as \`bwrap --seccomp\` reads them, in Base64. What they deny is in scripts/seccomp/denied-calls.ts. */
export const SECCOMP_FILTERS: Readonly<Record<"x64" | "arm64", string>> = {
  x64:
    ${literal("x64")},
  arm64:
    ${literal("arm64")},
};
`;

function literal(architecture: Parameters<typeof seccompFilter>[0]): string {
  const text = seccompFilter(architecture).toBase64();
  const lines = text.match(new RegExp(`.{1,${LINE_LENGTH}}`, "g")) ?? [];
  return lines.map((line) => `"${line}"`).join(" +\n    ");
}
