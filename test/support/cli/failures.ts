// What tests use of the folder `failures` of the command: failures.
export { EXIT_CODE, UsageError } from "../../../packages/cli/src/failures/program-error.ts";
