// What tests use of the folder `failures` of the command: failures.
export { UsageError } from "../../../packages/cli/src/failures/program-error.ts";
