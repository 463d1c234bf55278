// What tests use of the folder `terminal` of the command: the parts of a conversation on a terminal.

export { type ChoosableModels, choosableModels, type ListedModel } from "@mdx-ai/directory";
export { attachedBlock } from "@mdx-ai/directory/views";
export { ApprovalQuestions } from "../../../packages/cli/src/terminal/approval-questions.ts";
export { Attention } from "../../../packages/cli/src/terminal/attention.ts";
export { isCommand, nameOf } from "../../../packages/cli/src/terminal/command-texts.ts";
export { runCommit } from "../../../packages/cli/src/terminal/commit-command.ts";
export { Dialogue } from "../../../packages/cli/src/terminal/dialogue.ts";
export { type FooterFacts, footerLine } from "../../../packages/cli/src/terminal/footer.ts";
export { CommandWords } from "../../../packages/cli/src/terminal/input/command-words.ts";
export {
  droppedImage,
  mentionOf,
  mentionsIn,
  otherMentionsIn,
} from "../../../packages/cli/src/terminal/input/mentions.ts";
export { PromptHistory, type PromptHistoryOptions } from "../../../packages/cli/src/terminal/input/prompt-history.ts";
export { shellLineOf } from "../../../packages/cli/src/terminal/input/user-shell.ts";
export { Interrupts, leaveWindow } from "../../../packages/cli/src/terminal/interrupts.ts";
export type { Chosen, ListQuestion } from "../../../packages/cli/src/terminal/list-questions.ts";
export { memoryCommands } from "../../../packages/cli/src/terminal/memory-commands.ts";
export { runModel, runReasoning } from "../../../packages/cli/src/terminal/model-command.ts";
export { permissionsText } from "../../../packages/cli/src/terminal/permissions-text.ts";
export { NumberedLists, NumberedQuestions } from "../../../packages/cli/src/terminal/plain/numbered-questions.ts";
export { type Choice, ChoiceList } from "../../../packages/cli/src/terminal/screen/choice-list.ts";
export { type Completion, InputCompletion } from "../../../packages/cli/src/terminal/screen/input-completion.ts";
export { PromptEditor } from "../../../packages/cli/src/terminal/screen/prompt-editor.ts";
export type { Drawing } from "../../../packages/cli/src/terminal/screen/screen.ts";
export { FrameTerminal, ScrollbackScreen } from "../../../packages/cli/src/terminal/screen/scrollback-screen.ts";
export { WorkspaceFiles } from "../../../packages/cli/src/terminal/screen/workspace-files.ts";
export { infoText } from "../../../packages/cli/src/terminal/session-reports.ts";
export { runSkillCommand, skillWords } from "../../../packages/cli/src/terminal/skill-command.ts";
export { runQueueCommand } from "../../../packages/cli/src/terminal/slash-command-context.ts";
export { slashCommands } from "../../../packages/cli/src/terminal/slash-command-table.ts";
export { mustWait, SlashCommands } from "../../../packages/cli/src/terminal/slash-commands.ts";
export { clipboardPrograms, runCopy, runExport } from "../../../packages/cli/src/terminal/take-out-commands.ts";
export { chosenTheme, runThemeCommand } from "../../../packages/cli/src/terminal/theme-choice.ts";
export { runRewind, runUndo } from "../../../packages/cli/src/terminal/undo-command.ts";
export { callResult } from "../../../packages/cli/src/terminal/view/call-result.ts";
export { inBackground, lastExchanges, recalled } from "../../../packages/cli/src/terminal/view/lines.ts";
export { type MarkdownPiece, MarkdownStream } from "../../../packages/cli/src/terminal/view/markdown-stream.ts";
export { PromptView } from "../../../packages/cli/src/terminal/view/prompt-view.ts";
export { CodeHighlighter, renderMarkdown } from "../../../packages/cli/src/terminal/view/render-markdown.ts";
export {
  type EndedBlock,
  type Extent,
  endedBlock,
  runningRows,
} from "../../../packages/cli/src/terminal/view/tool-block.ts";
export { runToolCommand, ToolOutput } from "../../../packages/cli/src/terminal/view/tool-output.ts";
