import type { CommandSpec, OptionSpec } from "../../packages/cli/src/arguments/command-spec.ts";
import { EVERYWHERE } from "../../packages/cli/src/arguments/shared-options.ts";
import { COMMANDS } from "../../packages/cli/src/command-table/command-table.ts";
import { EXIT_CODES, optionUsage } from "../../packages/cli/src/command-table/help-text.ts";
import { tableOf } from "./markdown-table.ts";

/** `docs/reference/cli.md`: every command with its options, and the exit codes. */
export const cliPage = (): string =>
  [
    "# The command line",
    "`mdx-ai DIR` is short for `mdx-ai agent DIR`, and `mdx-ai -p TEXT` for `mdx-ai agent . -p TEXT`. An option may be " +
      "anywhere, as `--name value` or `--name=value`; its last value counts. `--` ends the options. `mdx-ai COMMAND --help` " +
      "prints what is here.",
    ...COMMANDS.map(commandSection),
    "## Options of every command",
    optionTable(EVERYWHERE),
    "## Exit codes",
    tableOf(["code", "meaning"], [...EXIT_CODES, OUTPUT_CLOSED]),
    "",
  ].join("\n\n");

/** Only for programs that read a part of the output. */
const OUTPUT_CLOSED = [
  "141",
  "the reader of the output left; with `--json` the prompt stays interrupted, and `--resume` finishes it",
] as const;

const commandSection = ({ name, positionals, summary, options, examples }: CommandSpec): string =>
  [
    `## mdx-ai ${name}`,
    `\`mdx-ai ${`${name} ${positionals}`.trim()}\`: ${summary}.`,
    tableOf(
      ["example", "does"],
      examples.map(([command, does]) => [`\`${command}\``, does]),
    ),
    ...(options.length === 0 ? [] : [optionTable(options)]),
  ].join("\n\n");

const optionTable = (options: readonly OptionSpec[]): string =>
  tableOf(
    ["option", "meaning"],
    options.map((option) => [`\`${optionUsage(option).trim()}\``, option.summary]),
  );
