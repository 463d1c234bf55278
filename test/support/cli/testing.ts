// What tests use of the folder `testing` of the command: the reports of tests.
export { junitText } from "../../../packages/cli/src/testing/test-report.ts";
