import type { CommandSpec } from "../arguments/command-spec.ts";
import { JSON_OUTPUT } from "../arguments/shared-options.ts";
import { ALLOW_KEYS } from "./sharing-commands.ts";

/** The commands that make something of an agent for other people and programs, in help order. */
export const BUILDING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "build",
    positionals: "<dir>",
    minimum: 1,
    maximum: 1,
    summary: "build one executable of this program and an agent",
    group: "write",
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
      ALLOW_KEYS,
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/build.ts")).runBuild,
  },
  {
    name: "export",
    positionals: "<dir>",
    minimum: 1,
    maximum: 1,
    summary: "describe an agent for other programs: an MCP configuration, an A2A card, AGENTS.md, or a page for people",
    group: "write",
    examples: [
      ["mdx-ai export weather --format mcp > .mcp.json", "use its tools in another agent"],
      [
        "mdx-ai export weather --format a2a --url https://agents.example/a2a",
        "the card of an agent that is served there",
      ],
      ["mdx-ai export weather --format docs --output WEATHER.md", "write a page about it"],
      ["mdx-ai export weather --output dist", "write all of them to a folder"],
    ],
    options: [
      { name: "format", value: "FORMAT", summary: "mcp, a2a, agents-md or docs" },
      {
        name: "output",
        short: "o",
        value: "PATH",
        summary: "a new file, or without --format a folder for all formats; default: standard output",
      },
      {
        name: "url",
        value: "ADDRESS",
        summary: "the agent's address: for a2a, and for mcp instead of a command",
      },
    ],
    load: async () => (await import("../commands/export.ts")).runExport,
  },
];
