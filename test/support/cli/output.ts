// What tests use of the folder `output` of the command: texts, figures and styles of the output.
export { callText } from "@mdx-ai/directory/views/call-text";
export {
  counted,
  dollars,
  duration,
  exactDuration,
  grouped,
  isoTime,
  localTime,
  momentText,
  timeText,
} from "@mdx-ai/directory/views/figures";
export {
  incidentLine,
  limitText,
  promptUsage,
  type ReachedLimit,
  usageText,
} from "@mdx-ai/directory/views/prompt-lines";
export {
  columns,
  cutEnd,
  cutStart,
  drawable,
  wrapped,
} from "../../../packages/cli/src/output/line-layout.ts";
export { type Theme, themeOf } from "../../../packages/cli/src/output/theme.ts";
