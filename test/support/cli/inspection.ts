// What tests use of the folder `inspection` of the command: what wakes an agent.
export { wakesOf, wakesText } from "../../../packages/cli/src/inspection/wakes.ts";
