import type { CommandSpec } from "../arguments/command-spec.ts";
import {
  DATA,
  DIRECTORY,
  ENV_FILE,
  JSON_OUTPUT,
  MCP_CONFIG,
  MODEL_OPTIONS,
  PERMISSION_OPTIONS,
  SANDBOX,
  SKILLS_DIR,
  TRUST,
  USER,
  WORKSPACE,
} from "../arguments/shared-options.ts";
import { AUTHORING_COMMANDS } from "./authoring-commands.ts";
import { INSPECTION_COMMANDS, RECORD_COMMANDS } from "./inspection-commands.ts";

/** The command that a command line without one runs. */
export const agentCommand: CommandSpec = {
  name: "agent",
  ...DIRECTORY,
  summary: "run an agent: a conversation, or one prompt",
  group: "run",
  examples: [
    ["mdx-ai my-agent", "talk with an agent"],
    ['mdx-ai my-agent -p "What is new?"', "run one prompt; only the answer goes to standard output"],
    ["git diff | mdx-ai my-agent -p -", "read the prompt from standard input"],
    ["mdx-ai my-agent -c", "continue the last conversation"],
    ["mdx-ai my-agent -w", "work in the current folder"],
    ["mdx-ai my-agent -m ollama/llama3", "ask another model"],
    ["mdx-ai .claude/agents/reviewer.md", "run another program's agent as it is"],
  ],
  options: [
    { name: "prompt", short: "p", value: "TEXT", summary: "run one prompt and exit; - reads it from standard input" },
    { name: "exec", value: "LINE", summary: "the same for a prompt of one line" },
    {
      name: "session",
      short: "s",
      value: "ID",
      summary: 'the conversation to continue, or "new"; default: "main", in a workspace a new one',
    },
    { name: "session-id", value: "ID", summary: "another name of --session" },
    {
      name: "continue",
      short: "c",
      summary: "continue the conversation that was used last, of the workspace if there is one",
    },
    {
      name: "resume",
      summary: "finish interrupted and queued prompts; on a terminal, choose the conversation if none is named",
    },
    { name: "wait", summary: "wait while another process uses the session" },
    { name: "ephemeral", summary: "keep no session" },
    DATA,
    USER,
    SKILLS_DIR,
    ...MODEL_OPTIONS,
    { name: "max-turns", value: "N", summary: "the most turns of a prompt; default: 50" },
    ...PERMISSION_OPTIONS,
    SANDBOX,
    ...WORKSPACE,
    MCP_CONFIG,
    { name: "json", summary: "print every event as a line of JSON; with --prompt" },
    { name: "plain", summary: "a conversation in lines, for screen readers; nothing moves or is drawn again" },
    TRUST,
    ENV_FILE,
  ],
  load: async () => (await import("../commands/agent.ts")).runAgent,
};

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  agentCommand,
  ...AUTHORING_COMMANDS,
  ...INSPECTION_COMMANDS,
  ...RECORD_COMMANDS,
  {
    name: "trust",
    ...DIRECTORY,
    summary: "let a directory run its code from now on, until it changes",
    group: "trust",
    examples: [
      ["mdx-ai trust my-agent", "let it run its code until it changes"],
      ["mdx-ai trust my-agent --edits", "trust your own later edits, too"],
      ["mdx-ai trust --list", "show what you trust"],
    ],
    options: [
      { name: "edits", summary: "trust its edits, too: for a folder of your own" },
      { name: "list", summary: "show what is trusted" },
      { name: "remove", summary: "withdraw the trust" },
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/trust.ts")).runTrust,
  },
  {
    name: "lock",
    ...DIRECTORY,
    summary: "record what an agent is and may do, for review; or check it against the record",
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
  {
    name: "completions",
    positionals: "<bash | zsh | fish>",
    minimum: 1,
    maximum: 1,
    summary: "print the completions of a shell",
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
