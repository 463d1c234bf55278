import { capitalized } from "@mdx-ai/directory/text";
import type { CommandGroup, CommandSpec, OptionSpec } from "../arguments/command-spec.ts";
import { EVERYWHERE } from "../arguments/shared-options.ts";
import { twoColumns, wrappedProse } from "../output/line-layout.ts";
import { COMMANDS } from "./command-table.ts";

/** The headings of the help, in order. */
const GROUPS: Readonly<Record<CommandGroup, string>> = {
  run: "Run an agent",
  write: "Write an agent",
  look: "Inspect what it does and did",
  share: "Agents of other people",
  trust: "Trust and review",
  shell: "Set up the shell",
};

const USAGE = [
  ["mdx-ai DIR", "talk with the agent in a directory: short for mdx-ai agent DIR"],
  ["mdx-ai DIR -p TEXT", "run one prompt and print the answer"],
  ["mdx-ai", "talk with the agent in this folder; if it has no agent.mdx, with a coding agent"],
  ["mdx-ai COMMAND …", "run any other command; mdx-ai COMMAND --help shows its options"],
] as const;

const OPTIONS = [
  ["-h, --help", "show this help; after a command, the help of the command"],
  ["-v, --version", "show the version"],
] as const;

const EXAMPLES = [
  ["mdx-ai init my-agent", "create an agent to start from"],
  ["mdx-ai check my-agent --fix", "report its mistakes and apply the safe fixes"],
  ['mdx-ai my-agent -p "What can you do?"', "ask one question"],
] as const;

/** Each exit code with its meaning. */
export const EXIT_CODES = [
  ["0", "done"],
  ["1", "the model or the program failed"],
  ["2", "wrong usage, or an invalid agent directory"],
  ["3", "not trusted, or not permitted"],
  ["4", "a limit ended the prompt"],
  ["130", "interrupted (143 by SIGTERM)"],
] as const;

type Rows = readonly (readonly [string, string])[];

/** The help of the program, wrapped to a width in columns. */
export function programHelp(width: number): string {
  const section = (title: string, rows: Rows): string => `${title}:\n${twoColumns(rows, width)}\n`;
  const groups = Object.entries(GROUPS).map(([group, title]) => section(title, commandRows(group)));
  return [
    "mdx-ai runs an AI agent that is a directory.\n",
    section("Usage", USAGE),
    ...groups,
    section("Examples", EXAMPLES),
    section("Options", OPTIONS),
    section("Exit codes", EXIT_CODES),
  ].join("\n");
}

const commandRows = (group: string): Rows =>
  COMMANDS.filter((spec) => spec.group === group).map(
    ({ name, positionals, briefPositionals = positionals, summary }) => [`${name} ${briefPositionals}`.trim(), summary],
  );

/** The help of one command, wrapped to a width in columns. */
export function commandHelp({ name, positionals, summary, options, examples }: CommandSpec, width: number): string {
  const rows = [...options, ...EVERYWHERE].map((option): readonly [string, string] => [
    optionUsage(option),
    option.summary,
  ]);
  return `${wrappedProse(`${capitalized(summary)}.`, width)}

Usage: ${wrappedProse(`mdx-ai ${name} ${positionals} [options]`.replace("  ", " "), width, "       ")}

Examples:
${twoColumns(examples, width)}

Options:
${twoColumns(rows, width)}
`;
}

/** Such as ` TEXT`, or `[=SECONDS]` if the value is optional. */
const valueText = ({ value, isValueOptional }: OptionSpec): string => (isValueOptional ? `[=${value}]` : ` ${value}`);

/** Such as `-p, --prompt TEXT`. */
export const optionUsage = (option: OptionSpec): string =>
  [option.short === undefined ? "    " : `-${option.short}, `, `--${option.name}`, option.value && valueText(option)]
    .filter((part) => part !== undefined)
    .join("");
