import type { SkillToolKind } from "./entrypoint.ts";

/** The implementations for each scheme of the parser's `ENTRYPOINT_SCHEMES`. */
export const SKILL_TOOL_KINDS: ReadonlyMap<string, SkillToolKind> = new Map<string, SkillToolKind>([
  ["bash", { containment: "sandbox", load: async () => (await import("./bash-entrypoint.ts")).bashEntrypoint }],
  ["http:get", { readOnly: true, load: async () => (await import("./http-entrypoint.ts")).httpEntrypoint }],
  ["http:post", { load: async () => (await import("./http-entrypoint.ts")).httpEntrypoint }],
  ["python", { load: async (agent) => (await import("./python-entrypoint.ts")).pythonEntrypoint(agent) }],
  ["grpc", { load: async () => (await import("./grpc/grpc-entrypoint.ts")).grpcEntrypoint }],
  [
    "container",
    { containment: "container", load: async () => (await import("./container-entrypoint.ts")).containerEntrypoint },
  ],
]);
