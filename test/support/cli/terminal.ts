// What tests use of the folder `terminal` of the command: the parts of a conversation on a terminal.

export { attachedBlock } from "@mdx-ai/directory/views/attached-block";
export { ApprovalQuestions } from "../../../packages/cli/src/terminal/approval-questions.ts";
export { isCommand, nameOf } from "../../../packages/cli/src/terminal/command-texts.ts";
export { slashCommands } from "../../../packages/cli/src/terminal/slash-command-table.ts";
export { CodeHighlighter, renderMarkdown } from "../../../packages/cli/src/terminal/view/render-markdown.ts";
