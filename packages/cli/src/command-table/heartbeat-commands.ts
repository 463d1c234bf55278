import type { CommandSpec } from "../arguments/command-spec.ts";
import {
  AGREEMENT,
  CONTAINMENT_OPTIONS,
  DATA,
  DIRECTORY,
  JSON_OUTPUT,
  MODEL_OPTIONS,
  SKILLS_DIR,
  USER,
} from "../arguments/shared-options.ts";
import { SERVER_OPTIONS } from "./serving-commands.ts";

/** What an agent needs that runs without a terminal. */
const RUN_OPTIONS = [DATA, USER, SKILLS_DIR, ...MODEL_OPTIONS, ...CONTAINMENT_OPTIONS];

/** The commands for agents that run for months, in help order. */
export const HEARTBEAT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "run",
    positionals: "<dir> …",
    minimum: 1,
    maximum: Number.POSITIVE_INFINITY,
    summary: "keep agents running, so that their heartbeats wake them; SIGTERM stops, SIGHUP reloads",
    group: "run",
    examples: [
      ["mdx-ai run my-agent", "keep one agent running"],
      ["mdx-ai run agents/*", "keep many agents running in one process"],
      ["mdx-ai run my-agent --serve --port 4100 --token ~/.server-token", "offer it over HTTP, too"],
    ],
    // Made when a line names the command: the table costs nothing at a start.
    get options() {
      return [
        ...RUN_OPTIONS,
        ...AGREEMENT,
        {
          name: "wait-for-answers",
          value: "SECONDS",
          isValueOptional: true,
          summary:
            "wait for answers to questions, for example from mdx-ai answer; after SECONDS the answer is no; default: 3600",
        },
        { name: "serve", summary: "also offer the agents over HTTP, as mdx-ai serve does" },
        ...SERVER_OPTIONS.map((option) => ({ ...option, summary: `with --serve: ${option.summary}` })),
      ];
    },
    load: async () => (await import("../commands/run.ts")).runRun,
  },
  {
    name: "heartbeat",
    positionals: "<dir> [run TASK | pause | resume]",
    briefPositionals: "<dir> [action …]",
    minimum: 1,
    maximum: 3,
    summary: "show due tasks, past runs, results and costs; run a task now; pause or resume",
    group: "run",
    examples: [
      [
        "mdx-ai heartbeat my-agent",
        "show the tasks and their runs of the last 7 days; exit code 1 if one failed or did not run",
      ],
      ["mdx-ai heartbeat my-agent --since 24h --json", "the same of the last day as JSON"],
      ['mdx-ai heartbeat my-agent run "Daily summary"', "run a task now"],
      ["mdx-ai heartbeat my-agent pause", "run no task until mdx-ai heartbeat my-agent resume"],
    ],
    options: [
      JSON_OUTPUT,
      { name: "since", value: "TIME", summary: "show runs since then, such as 24h, 7d or 2026-05-08; default: 7d" },
      ...RUN_OPTIONS,
    ],
    load: async () => (await import("../commands/heartbeat.ts")).runHeartbeat,
  },
  {
    name: "usage",
    ...DIRECTORY,
    summary: "show what an agent has cost, by day, session, heartbeat task, model and agent",
    group: "look",
    examples: [
      ["mdx-ai usage my-agent", "show all that it has spent, deleted sessions included"],
      ["mdx-ai usage my-agent --since 7d --json", "the same of the last 7 days as JSON"],
    ],
    options: [
      JSON_OUTPUT,
      { name: "since", value: "TIME", summary: "count from then on, such as 24h, 7d or 2026-05-08; default: all" },
      DATA,
      USER,
    ],
    load: async () => (await import("../commands/usage.ts")).runUsage,
  },
];
