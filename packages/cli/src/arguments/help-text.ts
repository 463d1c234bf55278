import { capitalized } from "@mdx-ai/directory/text";
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { COMMANDS, EVERYWHERE } from "./command-table.ts";

/** The help of the whole program. */
export function programHelp(): string {
  const rows = COMMANDS.map(
    ({ name, positionals, briefPositionals = positionals, summary }) =>
      [`${name} ${briefPositionals}`, summary] as const,
  );
  return `mdx-ai runs an agent that is a directory.

Usage: mdx-ai <command>

Commands:
${table(rows)}

Options:
${table([
  ["--version", "show the version"],
  ["--help", "show this help; after a command, that of the command"],
])}

Exit codes: 0 done, 1 the model or the program failed, 2 wrong usage or an invalid agent directory,
            3 not trusted or not permitted, 4 a limit ended the prompt, 130 interrupted (143 by SIGTERM)
`;
}

/** The help of one command. */
export const commandHelp = (spec: CommandSpec): string => `${capitalized(spec.summary)}.

Usage: mdx-ai ${spec.name} ${spec.positionals} [options]

Options:
${table([...spec.options, ...EVERYWHERE].map(optionRow))}
`;

const optionRow = ({ name, value, summary }: OptionSpec): readonly [string, string] => [
  value === undefined ? `--${name}` : `--${name} ${value}`,
  summary,
];

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
