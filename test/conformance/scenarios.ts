import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The revisions of the protocol whose requirements the suite has frozen. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

/** A scenario of the suite, as a revision requires it. */
export interface RequiredScenario {
  /** What of ours is tested. */
  readonly side: "client" | "server";
  readonly revision: Revision;
  readonly name: string;
}

const SUITE = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json")));

/** The program of the suite. Absolute. */
export const SUITE_PROGRAM: string = join(SUITE, "dist/index.js");

/** What a revision requires: of clients all, of servers what the tools and sessions of an agent can serve. */
export const requiredScenarios = (revision: Revision): readonly RequiredScenario[] => [
  ...listed(revision, "client"),
  ...listed(revision, "server").filter(({ name }) => SERVED.has(name)),
];

/**
 * The others are about what an agent does not offer: prompts, completion, logging, sampling, roots, audio and resources in
 * results, or they need a resource or a tool that asks in a way of the suite's own.
 */
const SERVED: ReadonlySet<string> = new Set([
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-error",
  "server-sse-multiple-streams",
  "resources-list",
  "resources-unsubscribe",
  "resources-subscribe",
  "sep-2164-resource-not-found",
  "dns-rebinding-protection",
]);

function listed(revision: Revision, side: RequiredScenario["side"]): readonly RequiredScenario[] {
  const text = readFileSync(join(SUITE, `requirements/${revision}.yaml`), "utf8");
  const [, list = ""] = new RegExp(`^${side}:\\n((?: {2}- .*\\n)+)`, "m").exec(text) ?? [];
  return [...list.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => ({ side, revision, name }));
}
