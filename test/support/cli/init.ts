// What tests use of the folder `init` of the command: templates of new agents.
export { templateFiles } from "../../../packages/cli/src/init/template.ts";
