import type { OptionSpec } from "./command-spec.ts";

/** The positional argument of a command for a directory. Default: the current folder. */
export const DIRECTORY = { positionals: "[dir]", minimum: 0, maximum: 1 } as const;

export const JSON_OUTPUT: OptionSpec = { name: "json", summary: "print it as JSON" };

/** Options of every command. */
export const EVERYWHERE: readonly OptionSpec[] = [
  { name: "debug", summary: "show the log while an agent runs, and the stack trace of a failure" },
  { name: "help", short: "h", summary: "show this help" },
];

/** Options that choose a model and its parameters. */
export const MODEL_OPTIONS: readonly OptionSpec[] = [
  { name: "model", short: "m", value: "VENDOR/NAME", summary: "the model, or a list A,B to fall back through" },
  { name: "config", value: "FILE", summary: "read the model, key and address from YAML or JSON" },
  { name: "temp", value: "N", summary: "the temperature, 0 to 2" },
  { name: "max-tokens", value: "N", summary: "maximum tokens of an answer" },
  { name: "thinking", value: "WAY", summary: "adaptive, off or a number of tokens" },
  { name: "effort", value: "WORD", summary: "how much effort to spend on reasoning, such as low" },
  { name: "no-stream", summary: "request whole answers instead of streaming" },
  { name: "retries", value: "N", summary: "retries of a failed model call, or the seconds before each: 5,15,45" },
  {
    name: "timeout",
    value: "SECONDS",
    summary: "seconds without data after which an answer has failed; default: 120, with --no-stream 600",
  },
  { name: "no-offline", summary: "fail if no model is configured" },
];

/** Lets calls run. */
export const ALLOW: OptionSpec = {
  name: "allow",
  value: "PATTERN",
  isRepeatable: true,
  summary: "let calls run without asking, such as 'bash(git *)'; repeatable",
};

/** Refuses calls. */
export const DENY: OptionSpec = {
  name: "deny",
  value: "PATTERN",
  isRepeatable: true,
  summary: "refuse calls, whatever else allows them; repeatable",
};

/** Options that answer permission questions in advance. */
export const PERMISSION_OPTIONS: readonly OptionSpec[] = [
  ALLOW,
  DENY,
  { name: "allow-all", summary: "allow every call without asking; your denials still count" },
  {
    name: "mode",
    value: "MODE",
    summary:
      "ask, edits (write in the workspace unasked), plan (only read) or all; default: ask on a terminal, else edits",
  },
];

/** The sandbox option. */
export const SANDBOX: OptionSpec = {
  name: "sandbox",
  value: "MODE",
  summary: "run the shell and the tools in a sandbox: auto, required or off; default: auto",
};

export const TRUST: OptionSpec = { name: "trust", summary: "let the directory run its code in this run" };
/** Options that choose where tools work. */
export const WORKSPACE: readonly OptionSpec[] = [
  {
    name: "workspace",
    value: "DIR",
    summary: "the folder in which tools work; default: the agent directory",
  },
  { name: "here", short: "w", summary: "let tools work in the current folder" },
  { name: "cwd", value: "DIR", summary: "alias of --workspace" },
];
export const MAX_TURNS: OptionSpec = {
  name: "max-turns",
  value: "N",
  summary: "maximum turns of a prompt; default: 50",
};
export const DATA: OptionSpec = {
  name: "data",
  value: "DIR",
  summary: "the folder for sessions, state and logs; default: the agent directory",
};
export const MCP_CONFIG: OptionSpec = {
  name: "mcp-config",
  value: "FILE",
  summary: "also use the MCP servers in a file such as .mcp.json",
};
export const USER: OptionSpec = {
  name: "user",
  value: "NAME",
  summary: "the user whose sessions and memories to use; each user has a separate folder",
};
export const SKILLS_DIR: OptionSpec = {
  name: "skills-dir",
  value: "DIR",
  isRepeatable: true,
  summary: "the skills folder, instead of skills/; repeatable, the first has priority",
};
export const ENV_FILE: OptionSpec = {
  name: "env-file",
  value: "FILE",
  summary: "read more environment variables from a file",
};

/** Options that say what calls may do, where tools work, and whose code runs. */
export const CONTAINMENT_OPTIONS: readonly OptionSpec[] = [
  ...PERMISSION_OPTIONS,
  SANDBOX,
  ...WORKSPACE,
  MCP_CONFIG,
  TRUST,
  ENV_FILE,
];

/** Agrees to an agent without a terminal. */
export const AGREEMENT: readonly OptionSpec[] = [
  { name: "yes", summary: "agree without a question; needs --expect" },
  { name: "expect", value: "HASH", summary: "agree only if this is the hash, sha256:…" },
];
