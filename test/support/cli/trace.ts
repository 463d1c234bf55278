// What tests use of the folder `trace` of the command: a trace as a tree and as a page.
export { cutText, textLimit } from "../../../packages/cli/src/trace/page/page-data.ts";
export { tracePage } from "../../../packages/cli/src/trace/page/trace-page.ts";
export { drawTree, type TreeNode } from "../../../packages/cli/src/trace/trace-tree.ts";
export { looseEntries, turnEntries } from "../../../packages/cli/src/trace/turn-entries.ts";
