import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The revisions of the protocol whose requirements the suite has frozen. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

/** A scenario of the suite, as a revision requires it. */
export interface RequiredScenario {
  readonly revision: Revision;
  readonly name: string;
}

const SUITE = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json")));

/** The program of the suite. Absolute. */
export const SUITE_PROGRAM: string = join(SUITE, "dist/index.js");

/** What a revision requires of clients. */
export function requiredScenarios(revision: Revision): readonly RequiredScenario[] {
  const text = readFileSync(join(SUITE, `requirements/${revision}.yaml`), "utf8");
  const [, list = ""] = /^client:\n((?: {2}- .*\n)+)/m.exec(text) ?? [];
  return [...list.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => ({ revision, name }));
}
