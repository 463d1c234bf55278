// What tests use of the folder `mcp` of the command: the questions of MCP servers.
export { answerWith } from "../../../packages/cli/src/mcp/ask-server-question.ts";
export { questionFields, typedValue } from "../../../packages/sessions/src/questions/question-fields.ts";
