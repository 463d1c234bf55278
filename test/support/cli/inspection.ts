// What tests use of the folder `inspection` of the command: what wakes an agent.
export { type WakeView, wakesText, wakeViews } from "../../../packages/cli/src/inspection/wakes.ts";
