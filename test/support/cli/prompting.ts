// What tests know of the room `prompting` of the command: how a prompt ends.
export { endOf } from "../../../packages/cli/src/prompting/prompt-end.ts";
