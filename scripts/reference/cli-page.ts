import type { CommandSpec, OptionSpec } from "../../packages/cli/src/arguments/command-spec.ts";
import {
  EVERYWHERE,
  MODEL_OPTIONS,
  PERMISSION_OPTIONS,
  WORKSPACE,
} from "../../packages/cli/src/arguments/shared-options.ts";
import { COMMANDS } from "../../packages/cli/src/command-table/command-table.ts";
import { EXIT_CODES, optionUsage } from "../../packages/cli/src/command-table/help-text.ts";

/** `docs/reference/cli.md`: every command with its options, and the exit codes. */
export const cliPage = (): string =>
  [
    "# The command line",
    "`mdx-ai DIR` is short for `mdx-ai agent DIR`, and `mdx-ai -p TEXT` for `mdx-ai agent . -p TEXT`. An option may be " +
      "anywhere, as `--name value` or `--name=value`; the last value counts. `--` ends the options. `mdx-ai COMMAND --help` " +
      "prints what is on this page, with examples.",
    ...COMMANDS.map(commandSection),
    "## Shared options",
    ...GROUPS.map(({ title, options }) => `${title}:\n\n${optionList(options)}`),
    `Others:\n\n${optionList([...shared.values()].filter(({ name }) => groupOf(name) === undefined))}`,
    `Of every command:\n\n${optionList(EVERYWHERE)}`,
    "## Exit codes",
    listOf([...EXIT_CODES, OUTPUT_CLOSED]),
    "",
  ].join("\n\n");

/** Only for programs that read a part of the output. */
const OUTPUT_CLOSED = [
  "141",
  "the reader of the output left; with `--json` the prompt stays interrupted, and `--resume` finishes it",
] as const;

/** Shared options that most commands have together. */
const GROUPS = [
  { title: "Model options", options: MODEL_OPTIONS.filter(({ name }) => name !== "no-offline") },
  { title: "Permission options", options: PERMISSION_OPTIONS },
  { title: "Workspace options", options: WORKSPACE },
] as const;

const groupOf = (name: string) => GROUPS.find(({ options }) => options.some((option) => option.name === name));

/** The options that mean the same in several commands: described once. */
const shared: ReadonlyMap<string, OptionSpec> = new Map(
  [
    ...Map.groupBy(
      COMMANDS.flatMap(({ options }) => options),
      keyOf,
    ),
  ].flatMap(([key, [option, second]]) => (option === undefined || second === undefined ? [] : [[key, option]])),
);

function keyOf(option: OptionSpec): string {
  return `${optionUsage(option)} ${option.summary}`;
}

/** The options of `serve`, which other commands have with a flag of theirs. */
const serveOptions: ReadonlySet<string> = new Set(
  COMMANDS.find(({ name }) => name === "serve")?.options.map(({ summary }) => summary),
);

/** The flag that an option of `serve` needs here, such as `run --serve`. */
function flagOf({ summary }: OptionSpec): string | undefined {
  const [, flag, rest = ""] = /^with (--\w+): (.+)$/.exec(summary) ?? [];
  return serveOptions.has(rest) ? flag : undefined;
}

/** Only commands without options have their examples here: the others have them in their help and on the pages about them. */
function commandSection({ name, positionals, summary, options, examples }: CommandSpec): string {
  const own = options.filter((option) => !shared.has(keyOf(option)));
  const others = own.filter((option) => flagOf(option) === undefined);
  const ofServe = own.filter((option) => flagOf(option) !== undefined);
  const flag = ofServe.map(flagOf)[0];
  const common = options.filter((option) => shared.has(keyOf(option)));
  return [
    `## mdx-ai ${name}`,
    `${positionals === "" ? "" : `\`${positionals}\`: `}${summary}.`,
    ...(own.length === 0 ? [listOf(examples.map(([command, does]) => [`\`${command}\``, does]))] : []),
    ...(others.length === 0 ? [] : [optionList(others)]),
    ...(flag === undefined
      ? []
      : [`With \`${flag}\` the options of [mdx-ai serve](#mdx-ai-serve): ${namesOf(ofServe)}.`]),
    ...(common.length === 0 ? [] : [`[Shared](#shared-options): ${namesOf(common)}.`]),
  ].join("\n\n");
}

/** The names of options; the name of a group in place of all that are in it. */
function namesOf(options: readonly OptionSpec[]): string {
  const names = options.map(({ name }) => name);
  const isWhole = ({ options }: (typeof GROUPS)[number]) => options.every(({ name }) => names.includes(name));
  const shown = names.map((name) => {
    const group = groupOf(name);
    return group && isWhole(group) ? group.title.toLowerCase() : `\`--${name}\``;
  });
  return [...new Set(shown)].join(", ");
}

const optionList = (options: readonly OptionSpec[]): string =>
  listOf(options.map((option) => [`\`${optionUsage(option).trim()}\``, option.summary]));

const listOf = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([term, meaning]) => `- ${term}: ${meaning}`).join("\n");
