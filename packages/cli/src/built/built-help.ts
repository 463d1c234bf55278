import { basename } from "node:path";
import type { CommandSpec } from "../arguments/command-spec.ts";
import type { ProgramContext } from "../command-context.ts";
import { agentCommand } from "../command-table/agent-command.ts";
import { optionUsage } from "../command-table/help-text.ts";
import { textWidth, twoColumns } from "../output/line-layout.ts";
import { DEFAULT_WIDTH } from "../run-program.ts";

/** The help of an executable that contains an agent. */
export function builtHelp(
  { name, commands }: { readonly name: string; readonly commands: readonly CommandSpec[] },
  { stdout, environment }: ProgramContext,
): string {
  const width = textWidth(stdout, environment) ?? DEFAULT_WIDTH;
  const program = basename(process.execPath);
  const usage = [
    [program, "talk with the agent"],
    [`${program} -p TEXT`, "run one prompt and print the answer"],
    [`${program} COMMAND …`, `run a command; ${program} COMMAND --help shows its options`],
  ] as const;
  const rows = commands.map((spec) => [spec.name, spec.summary] as const);
  const options = agentCommand.options
    .filter((option) => option.name !== "trust")
    .map((option) => [optionUsage(option), option.summary] as const);
  return `${program} is the agent ${name}, with all that it needs.

Usage:
${twoColumns(usage, width)}

Commands:
${twoColumns(rows, width)}

Options:
${twoColumns(options, width)}
`;
}
