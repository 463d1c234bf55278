import type { CommandSpec } from "../arguments/command-spec.ts";

/** The commands that make something of an agent for other people and programs, in help order. */
export const SHARING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "build",
    positionals: "<dir>",
    minimum: 1,
    maximum: 1,
    summary: "make one executable of this program and an agent",
    group: "share",
    examples: [
      ["mdx-ai build weather --output dist/weather", "then run it: dist/weather -p 'Will it rain?'"],
      ["mdx-ai build weather --output weather-arm64 --program FILE", "for another platform, from its mdx-ai"],
    ],
    options: [
      { name: "output", short: "o", value: "FILE", summary: "the executable to write" },
      {
        name: "program",
        value: "FILE",
        summary: "the executable of mdx-ai to copy, also for another platform; default: the installed one",
      },
      { name: "name", value: "NAME", summary: "the agent's folder in the state of its users; default: its name" },
      { name: "json", summary: "print the result as JSON" },
    ],
    load: async () => (await import("../commands/build.ts")).runBuild,
  },
];
