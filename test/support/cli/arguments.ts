// What tests use of the folder `arguments` of the command: the command line as it is read, and the table of commands.

export { COMMANDS } from "../../../packages/cli/src/command-table/command-table.ts";
