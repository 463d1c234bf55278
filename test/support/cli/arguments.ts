// What tests use of the folder `arguments` of the command: the command line as it is read, and the table of commands.

export type { CommandSpec, ParsedArguments } from "../../../packages/cli/src/arguments/command-spec.ts";
export { parseArguments } from "../../../packages/cli/src/arguments/parse-arguments.ts";
export { readPermissionFlags } from "../../../packages/cli/src/arguments/run-options.ts";
export { toolArguments } from "../../../packages/cli/src/arguments/tool-arguments.ts";
export { COMMANDS } from "../../../packages/cli/src/command-table/command-table.ts";
