// What tests know of the room `failures` of the command: failures.
export { EXIT_CODE, UsageError } from "../../../packages/cli/src/failures/program-error.ts";
