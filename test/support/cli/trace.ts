// What tests know of the room `trace` of the command: a trace as a tree, a timeline and a page.
export { cutText, textLimit } from "../../../packages/cli/src/trace/page/page-parts.ts";
export { tracePage } from "../../../packages/cli/src/trace/page/trace-page.ts";
export { timedEntries } from "../../../packages/cli/src/trace/timeline/prompt-timeline.ts";
export {
  busyWithin,
  placeOf,
  spanOf,
  ticksOf,
  timeScale,
  wholeSpan,
} from "../../../packages/cli/src/trace/timeline/time-scale.ts";
export { drawTree, type TreeNode } from "../../../packages/cli/src/trace/trace-tree.ts";
export { looseEntries, turnEntries } from "../../../packages/cli/src/trace/turn-entries.ts";
