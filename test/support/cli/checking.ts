// What tests use of the folder `checking` of the command: how diagnostics are shown.
export { missingTypeScriptText } from "../../../packages/cli/src/checking/check-text.ts";
export { markedLine, sourceExcerpt, sourceFile } from "../../../packages/cli/src/checking/source-excerpt.ts";
