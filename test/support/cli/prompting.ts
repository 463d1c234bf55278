// What tests use of the folder `prompting` of the command: how a prompt ends.
export { endOf } from "../../../packages/cli/src/prompting/prompt-end.ts";
