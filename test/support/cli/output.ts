// What tests use of the folder `output` of the command: texts, figures and styles of the output.
export {
  callText,
  counted,
  dollars,
  duration,
  exactDuration,
  grouped,
  incidentLine,
  isoTime,
  limitText,
  localTime,
  momentText,
  promptUsage,
  type ReachedLimit,
  timeText,
  usageText,
} from "@mdx-ai/directory/views";
export {
  columns,
  cutEnd,
  cutStart,
  drawable,
  wrapped,
} from "../../../packages/cli/src/output/line-layout.ts";
export { type Theme, themeOf } from "../../../packages/cli/src/output/theme.ts";
