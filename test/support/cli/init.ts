// What tests know of the room `init` of the command: templates of new agents.
export { templateFiles } from "../../../packages/cli/src/init/template.ts";
