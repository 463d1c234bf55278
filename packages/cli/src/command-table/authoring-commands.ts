import type { CommandSpec } from "../arguments/command-spec.ts";
import { DATA, DIRECTORY, ENV_FILE, SANDBOX, SKILLS_DIR, TRUST, USER, WORKSPACE } from "../arguments/shared-options.ts";

/** The commands for writing and testing an agent, in help order. */
export const AUTHORING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "init",
    positionals: "<dir>",
    minimum: 0,
    maximum: 1,
    summary: "create an agent directory",
    group: "write",
    examples: [
      ["mdx-ai init my-agent", "a working agent with one tool and one skill"],
      ["mdx-ai init my-agent --template minimal", "one file and nothing else"],
      ["mdx-ai init my-agent --from .claude/agents/reviewer.md", "translate another program's agent"],
    ],
    options: [
      {
        name: "template",
        value: "NAME",
        summary: "tools (default), minimal, coder (works on your code) or daily (wakes on a schedule)",
      },
      {
        name: "from",
        value: "PATH",
        summary: "translate a subagent file, a .claude or .opencode folder, AGENTS.md or a prompt in Markdown",
      },
    ],
    load: async () => (await import("../commands/init.ts")).runInit,
  },
  {
    name: "check",
    positionals: "[path …]",
    minimum: 0,
    maximum: Number.POSITIVE_INFINITY,
    summary: "report the mistakes in an agent directory, or in files of other programs, without running anything",
    group: "write",
    examples: [
      ["mdx-ai check my-agent", "report every mistake at its line and column"],
      ["mdx-ai check my-agent --fix", "apply the safe fixes"],
      ["mdx-ai check my-agent --watch", "check again after every change"],
      ["mdx-ai check .", "in a repository: skills, plugins, AGENTS.md, .claude, .opencode and agents"],
      ["mdx-ai check . --format github", "show the mistakes beside their lines on GitHub"],
    ],
    options: [
      {
        name: "fix",
        value: "escapes",
        isValueOptional: true,
        summary:
          "apply the safe fixes; --fix=escapes also removes the escapes \\{ and \\<, which Markdown does not need",
      },
      { name: "strict", summary: "also show notes, such as what other programs may not accept" },
      { name: "watch", summary: "check again after every change, until Ctrl+C" },
      {
        name: "ignore",
        value: "PATTERN",
        isRepeatable: true,
        summary: "leave out files or folders of other programs, such as 'test/**'; repeatable",
      },
      { name: "format", value: "FORMAT", summary: "text (default), json, github (annotations of Actions) or sarif" },
      SKILLS_DIR,
      { name: "json", summary: "print the diagnostics as JSON: short for --format json" },
    ],
    load: async () => (await import("../commands/check.ts")).runCheck,
  },
  {
    name: "types",
    ...DIRECTORY,
    summary: "write agent.d.ts, the types of the tools for editors",
    group: "write",
    examples: [
      ["mdx-ai types my-agent", "write my-agent/agent.d.ts"],
      ["mdx-ai types my-agent --check", "for CI: fail if the file is out of date"],
    ],
    options: [{ name: "check", summary: "write nothing; exit with 1 if it is out of date" }],
    load: async () => (await import("../commands/types.ts")).runTypes,
  },
  {
    name: "tool",
    positionals: "<dir> <name> [key=value …]",
    minimum: 1,
    maximum: Number.POSITIVE_INFINITY,
    summary: "run one tool without a model",
    group: "run",
    examples: [
      ['mdx-ai tool my-agent count_words text="to be or not to be"', "run a tool with one argument"],
      ['mdx-ai tool my-agent count_words --json \'{"text": "a b"}\'', "the same, as JSON"],
    ],
    options: [
      { name: "json", value: "OBJECT", summary: "the arguments as a JSON object" },
      SKILLS_DIR,
      SANDBOX,
      ...WORKSPACE,
      TRUST,
      ENV_FILE,
    ],
    load: async () => (await import("../commands/tool.ts")).runTool,
  },
  {
    name: "test",
    ...DIRECTORY,
    summary: "run the tests of an agent, without a model and without a network",
    group: "write",
    examples: [
      ["mdx-ai test my-agent", "run every example and recording"],
      ["mdx-ai test my-agent --filter count --junit report.xml", "run some, and write a report for CI"],
    ],
    options: [
      { name: "filter", value: "TEXT", summary: "run only tests whose tool or name contains this text" },
      { name: "jobs", value: "N", summary: "the number of tests that run at once; default: 2" },
      { name: "json", summary: "print the results as JSON" },
      { name: "junit", value: "FILE", summary: "also write the results as JUnit XML" },
      { name: "live-tools", summary: "also run the tools of recorded sessions again" },
      DATA,
      USER,
      ...WORKSPACE,
      SANDBOX,
      TRUST,
      ENV_FILE,
    ],
    load: async () => (await import("../commands/test.ts")).runTest,
  },
];
