import type { CommandSpec, OptionSpec } from "../arguments/command-spec.ts";
import { AGREEMENT, JSON_OUTPUT } from "../arguments/shared-options.ts";

/** Which added agents a command is about. */
const SCOPE: readonly OptionSpec[] = [
  { name: "project", summary: "the agents in this project's agents.lock.json" },
  { name: "global", short: "g", summary: "your agents; default: the project's, if it has an agents.lock.json" },
];

/** The commands for agents of other people, in help order. */
export const INSTALLING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "add",
    positionals: "[source]",
    minimum: 0,
    maximum: 1,
    summary: "add an agent from git, npm, an OCI registry, an archive or a folder, after showing what it may do",
    group: "share",
    examples: [
      ["mdx-ai add github:acme/agents#v1.2:weather", "a folder of a repository, at a tag"],
      ["mdx-ai add npm:@acme/weather@1.2", "a package"],
      ["mdx-ai add ./weather.tgz --name forecast", "an archive, by another name"],
      ["mdx-ai add --frozen", "for CI: install exactly what agents.lock.json names"],
    ],
    options: [
      { name: "name", value: "NAME", summary: "the name by which it runs; default: the agent's own" },
      ...AGREEMENT,
      { name: "frozen", summary: "install what the lock file names, or fail; without a source" },
      ...SCOPE,
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/add.ts")).runAdd,
  },
  {
    name: "list",
    positionals: "",
    minimum: 0,
    maximum: 0,
    summary: "list the added agents",
    group: "share",
    examples: [["mdx-ai list --json", "names, sources, folders and hashes"]],
    options: [...SCOPE, JSON_OUTPUT],
    load: async () => (await import("../commands/list.ts")).runList,
  },
  {
    name: "update",
    positionals: "[name]",
    minimum: 0,
    maximum: 1,
    summary: "update added agents; asks only if one may then do more",
    group: "share",
    examples: [
      ["mdx-ai update", "update all"],
      ["mdx-ai update weather --check", "show what an update changes; exit code 1 if there is one"],
    ],
    options: [
      { name: "check", summary: "update nothing; exit with 1 if there is an update" },
      ...AGREEMENT,
      ...SCOPE,
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/update.ts")).runUpdate,
  },
  {
    name: "rollback",
    positionals: "<name>",
    minimum: 1,
    maximum: 1,
    summary: "return an added agent to its previous version",
    group: "share",
    examples: [["mdx-ai rollback weather", "undo its last update; sessions stay"]],
    options: [...SCOPE, JSON_OUTPUT],
    load: async () => (await import("../commands/rollback.ts")).runRollback,
  },
  {
    name: "remove",
    positionals: "<name>",
    minimum: 1,
    maximum: 1,
    summary: "remove an added agent; its sessions, state and logs stay",
    group: "share",
    examples: [["mdx-ai remove weather", "remove it, and the trust in it"]],
    options: [...SCOPE, JSON_OUTPUT],
    load: async () => (await import("../commands/remove.ts")).runRemove,
  },
  {
    name: "verify",
    positionals: "[name …]",
    minimum: 0,
    maximum: Number.POSITIVE_INFINITY,
    summary: "check that added agents are unchanged since you agreed",
    group: "share",
    examples: [["mdx-ai verify", "compare all with their lock file; exit code 1 if one differs"]],
    options: [...SCOPE, JSON_OUTPUT],
    load: async () => (await import("../commands/verify.ts")).runVerify,
  },
];
