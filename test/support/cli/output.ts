// What tests use of the folder `output` of the command: texts, figures and styles of the output.
export { columns, drawable, wrapped } from "../../../packages/cli/src/output/line-layout.ts";
export { themeOf } from "../../../packages/cli/src/output/theme.ts";
