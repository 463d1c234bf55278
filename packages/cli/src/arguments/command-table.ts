import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { MODEL_OPTIONS } from "./model-options.ts";

const TRUST: OptionSpec = { name: "trust", summary: "let the directory run its code this once" };
const CWD: OptionSpec = { name: "cwd", value: "DIR", summary: "where tools work; default: the current folder" };
const ENV_FILE: OptionSpec = {
  name: "env-file",
  value: "FILE",
  summary: "read more environment variables from a file",
};

/** Options that every command takes. */
export const EVERYWHERE: readonly OptionSpec[] = [
  { name: "debug", summary: "show the stack trace of a failure" },
  { name: "help", summary: "show this help" },
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "agent",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "run an agent: a conversation, or one prompt",
    options: [
      { name: "prompt", value: "TEXT", summary: "work off one prompt and exit; - reads it from standard input" },
      { name: "session", value: "ID", summary: 'the conversation to go on with, or "new"; default: "main"' },
      { name: "continue", summary: "go on with the conversation that was used last" },
      { name: "resume", summary: "finish what was interrupted or waits in the queue" },
      { name: "ephemeral", summary: "leave no session behind" },
      ...MODEL_OPTIONS,
      { name: "max-turns", value: "N", summary: "turns that a prompt may take; default: 50" },
      CWD,
      { name: "json", summary: "print every event as a line of JSON; with --prompt" },
      TRUST,
      ENV_FILE,
    ],
    load: async () => (await import("../commands/agent.ts")).runAgent,
  },
  {
    name: "init",
    positionals: "<dir>",
    minimum: 0,
    maximum: 1,
    summary: "make a new agent directory",
    options: [],
    load: async () => (await import("../commands/init.ts")).runInit,
  },
  {
    name: "check",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "show the mistakes in an agent directory, running nothing",
    options: [{ name: "json", summary: "print the diagnostics as JSON" }],
    load: async () => (await import("../commands/check.ts")).runCheck,
  },
  {
    name: "tool",
    positionals: "<dir> <name> [key=value …]",
    minimum: 1,
    maximum: Number.POSITIVE_INFINITY,
    summary: "run one tool without a model",
    options: [{ name: "json", value: "OBJECT", summary: "the arguments as a JSON object" }, CWD, TRUST, ENV_FILE],
    load: async () => (await import("../commands/tool.ts")).runTool,
  },
  {
    name: "test",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "run the tests of an agent, without a model and without a network",
    options: [
      { name: "filter", value: "TEXT", summary: "run only tests whose tool or name holds this text" },
      { name: "jobs", value: "N", summary: "how many run at once; default: 2" },
      { name: "json", summary: "print the outcomes as JSON" },
      { name: "junit", value: "FILE", summary: "write the outcomes as JUnit XML, too" },
      { name: "cwd", value: "DIR", summary: "where tools work; default: the agent directory" },
      TRUST,
      ENV_FILE,
    ],
    load: async () => (await import("../commands/test.ts")).runTest,
  },
  {
    name: "inspect",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "show what a model would get: system prompt, tools, sizes",
    options: [{ name: "json", summary: "print it as JSON" }, TRUST, ENV_FILE],
    load: async () => (await import("../commands/inspect.ts")).runInspect,
  },
  {
    name: "models",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "show which model would be asked and why, and what is missing",
    options: [...MODEL_OPTIONS, { name: "json", summary: "print it as JSON" }, ENV_FILE],
    load: async () => (await import("../commands/models.ts")).runModels,
  },
  {
    name: "sessions",
    positionals: "<dir> [show ID | export ID | fork ID NEW | rewind ID | rename ID NEW | delete ID]",
    minimum: 1,
    maximum: 4,
    summary: "list the sessions of an agent, or show, export, fork, rewind, rename or delete one",
    options: [
      { name: "json", summary: "print the list as JSON" },
      { name: "format", value: "FORMAT", summary: "of an export: md, json or html; default: md" },
      { name: "output", value: "FILE", summary: "where an export goes, a new file; default: standard output" },
      { name: "at", value: "N", summary: "the last prompt that a fork has; default: the last that has ended" },
      { name: "to", value: "N", summary: "the prompt to which to rewind; 0 is before the first" },
      { name: "yes", summary: "delete without asking" },
    ],
    load: async () => (await import("../commands/sessions.ts")).runSessions,
  },
  {
    name: "trace",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "show what went on in a session: prompts, turns, tools, times, costs",
    options: [
      { name: "session", value: "ID", summary: 'the session to look at; default: "main"' },
      { name: "prompt", value: "N", summary: "show this prompt alone, counted from 1" },
      { name: "json", summary: "print it as JSON" },
      { name: "html", value: "FILE", summary: "write a page with a timeline to a new file; - is standard output" },
    ],
    load: async () => (await import("../commands/trace.ts")).runTrace,
  },
  {
    name: "trust",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "let a directory run its code from now on",
    options: [
      { name: "list", summary: "show what is trusted" },
      { name: "remove", summary: "take the trust back" },
    ],
    load: async () => (await import("../commands/trust.ts")).runTrust,
  },
];
