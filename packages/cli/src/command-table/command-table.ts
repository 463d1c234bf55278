import type { CommandSpec } from "../arguments/command-spec.ts";
import {
  DATA,
  DIRECTORY,
  ENV_FILE,
  JSON_OUTPUT,
  MAX_TURNS,
  MCP_CONFIG,
  MODEL_OPTIONS,
  PERMISSION_OPTIONS,
  SANDBOX,
  SKILLS_DIR,
  TRUST,
  USER,
} from "../arguments/shared-options.ts";
import { agentCommand } from "./agent-command.ts";
import { AUTHORING_COMMANDS } from "./authoring-commands.ts";
import { BUILDING_COMMANDS } from "./building-commands.ts";
import { HEARTBEAT_COMMANDS } from "./heartbeat-commands.ts";
import { INSPECTION_COMMANDS, RECORD_COMMANDS } from "./inspection-commands.ts";
import { INSTALLING_COMMANDS } from "./installing-commands.ts";
import { SERVER_TOKEN, SERVING_COMMANDS } from "./serving-commands.ts";
import { SHARING_COMMANDS } from "./sharing-commands.ts";

/** Serves an agent to an editor. */
const acpCommand: CommandSpec = {
  name: "acp",
  ...DIRECTORY,
  summary: "serve an agent to an editor, by the Agent Client Protocol on standard input and output",
  group: "run",
  examples: [
    ["mdx-ai acp my-agent", "what an editor such as Zed starts"],
    ["mdx-ai acp my-agent --setup", "trust the agent, and see whether its model has a key"],
  ],
  options: [
    { name: "setup", summary: "ask on the terminal whether you trust the agent, check its model, and exit" },
    {
      name: "engine",
      value: "restate://HOST:PORT",
      summary: "use the sessions of the Restate server at this admin address; the workers of `serve --engine` run them",
    },
    DATA,
    USER,
    SKILLS_DIR,
    ...MODEL_OPTIONS.filter(({ name }) => name !== "no-offline"),
    MAX_TURNS,
    ...PERMISSION_OPTIONS,
    SANDBOX,
    MCP_CONFIG,
    TRUST,
    ENV_FILE,
  ],
  load: async () => (await import("../commands/acp.ts")).runAcp,
};

/** All commands, in help order. */
export const COMMANDS: readonly CommandSpec[] = [
  agentCommand,
  acpCommand,
  ...AUTHORING_COMMANDS,
  ...INSPECTION_COMMANDS,
  ...RECORD_COMMANDS,
  ...HEARTBEAT_COMMANDS,
  {
    name: "answer",
    positionals: "<dir | url> [ID] [yes | no | WORD | JSON | name=value …]",
    briefPositionals: "<dir | url> [ID] [answer …]",
    minimum: 1,
    maximum: 100,
    summary: "list the questions that wait for an answer in an agent's sessions, or answer one",
    group: "run",
    examples: [
      ["mdx-ai answer my-agent", "list the waiting questions"],
      ["mdx-ai answer my-agent 3.1.1 yes", "allow that call"],
      ['mdx-ai answer my-agent 3.1.1 no --reason "use the test database"', "refuse it and give the model the reason"],
      ["mdx-ai answer my-agent 3.1.1.1 name=Vienna days=3", "fill in the form of an MCP server"],
      ["mdx-ai answer https://agents.example 3.1.1 yes --token ~/.server-token", "answer at a server elsewhere"],
    ],
    options: [
      { name: "session", short: "s", value: "ID", summary: "the session of the question" },
      { name: "reason", value: "TEXT", summary: "with no: what the model receives as the reason" },
      { name: "agent", value: "NAME", summary: "with an address: the agent, if the server has several" },
      SERVER_TOKEN,
      DATA,
      USER,
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/answer.ts")).runAnswer,
  },
  ...SERVING_COMMANDS,
  ...INSTALLING_COMMANDS,
  {
    name: "trust",
    ...DIRECTORY,
    summary: "trust a directory to run its code until it changes",
    group: "trust",
    examples: [
      ["mdx-ai trust my-agent", "let it run its code until it changes"],
      ["mdx-ai trust my-agent --edits", "trust your own later edits, too"],
      ["mdx-ai trust --list", "show what you trust"],
    ],
    options: [
      { name: "edits", summary: "also trust later edits: for your own folder" },
      { name: "list", summary: "show what is trusted" },
      { name: "remove", summary: "withdraw the trust" },
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/trust.ts")).runTrust,
  },
  {
    name: "lock",
    ...DIRECTORY,
    summary: "record what an agent is and may do, or check it against that record",
    group: "trust",
    examples: [
      ["mdx-ai lock my-agent", "write agent.lock.json, for review"],
      ["mdx-ai lock my-agent --check", "for CI: fail if it may do more than the file says"],
    ],
    options: [
      { name: "check", summary: "write nothing; exit with 1 if code, schemas or permissions widened or changed" },
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/lock.ts")).runLock,
  },
  {
    name: "diff",
    positionals: "<a> <b>",
    minimum: 2,
    maximum: 2,
    summary: "compare two agent directories, or their lock files",
    group: "trust",
    examples: [["mdx-ai diff my-agent ../their-agent", "compare two agents"]],
    options: [JSON_OUTPUT],
    load: async () => (await import("../commands/diff.ts")).runDiff,
  },
  ...BUILDING_COMMANDS,
  ...SHARING_COMMANDS,
  {
    name: "licenses",
    positionals: "",
    minimum: 0,
    maximum: 0,
    summary: "print the licences of this program and of everything in it",
    group: "trust",
    examples: [["mdx-ai licenses | less", "read them"]],
    options: [],
    load: async () => (await import("../commands/licenses.ts")).runLicenses,
  },
  {
    name: "completions",
    positionals: "<bash | zsh | fish>",
    minimum: 1,
    maximum: 1,
    summary: "print the completion script for a shell",
    group: "shell",
    examples: [
      ["source <(mdx-ai completions bash)", "in ~/.bashrc"],
      ["source <(mdx-ai completions zsh)", "in ~/.zshrc, after compinit"],
      ["mdx-ai completions fish | source", "in ~/.config/fish/config.fish"],
    ],
    options: [],
    load: async () => (await import("../commands/completions.ts")).runCompletions,
  },
];
