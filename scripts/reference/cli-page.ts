import type { CommandSpec, OptionSpec } from "../../packages/cli/src/arguments/command-spec.ts";
import { EVERYWHERE } from "../../packages/cli/src/arguments/shared-options.ts";
import { COMMANDS } from "../../packages/cli/src/command-table/command-table.ts";
import { EXIT_CODES, optionUsage } from "../../packages/cli/src/command-table/help-text.ts";

/** `docs/reference/cli.md`: every command with its options, and the exit codes. */
export const cliPage = (): string =>
  [
    "# The command line",
    "`mdx-ai DIR` is short for `mdx-ai agent DIR`, and `mdx-ai -p TEXT` for `mdx-ai agent . -p TEXT`. An option may be " +
      "anywhere, as `--name value` or `--name=value`; the last value counts. `--` ends the options. `mdx-ai COMMAND --help` " +
      "prints what is on this page.",
    ...COMMANDS.map(commandSection),
    "## Shared options",
    optionList([...shared.values(), ...EVERYWHERE]),
    "The last two are options of every command.",
    "## Exit codes",
    listOf([...EXIT_CODES, OUTPUT_CLOSED]),
    "",
  ].join("\n\n");

/** Only for programs that read a part of the output. */
const OUTPUT_CLOSED = [
  "141",
  "the reader of the output left; with `--json` the prompt stays interrupted, and `--resume` finishes it",
] as const;

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

function commandSection({ name, positionals, summary, options, examples }: CommandSpec): string {
  const own = options.filter((option) => !shared.has(keyOf(option)));
  const others = options.filter((option) => shared.has(keyOf(option)));
  return [
    `## mdx-ai ${name}`,
    `\`mdx-ai ${`${name} ${positionals}`.trim()}\`: ${summary}.`,
    listOf(examples.map(([command, does]) => [`\`${command}\``, does])),
    ...(own.length === 0 ? [] : ["Options:", optionList(own)]),
    ...(others.length === 0
      ? []
      : [`[Shared options](#shared-options): ${others.map((one) => `\`--${one.name}\``).join(", ")}.`]),
  ].join("\n\n");
}

const optionList = (options: readonly OptionSpec[]): string =>
  listOf(options.map((option) => [`\`${optionUsage(option).trim()}\``, option.summary]));

const listOf = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([term, meaning]) => `- ${term}: ${meaning}`).join("\n");
