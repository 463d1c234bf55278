// What tests know of the room `testing` of the command: the reports of tests.
export { junitText } from "../../../packages/cli/src/testing/test-report.ts";
