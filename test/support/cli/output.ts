// What tests use of the folder `output` of the command: texts, figures and styles of the output.
export { callText } from "../../../packages/cli/src/output/call-text.ts";
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
} from "../../../packages/cli/src/output/figures.ts";
export {
  columns,
  cutEnd,
  cutStart,
  drawable,
  wrapped,
} from "../../../packages/cli/src/output/line-layout.ts";
export {
  incidentLine,
  limitText,
  promptUsage,
  type ReachedLimit,
  usageText,
} from "../../../packages/cli/src/output/prompt-lines.ts";
export { type Theme, themeOf } from "../../../packages/cli/src/output/theme.ts";
