export { type AttachedTag, attachedBlock } from "./attached-block.ts";
export { type CallText, callText } from "./call-text.ts";
export {
  agoText,
  counted,
  dollars,
  duration,
  exactDuration,
  grouped,
  isoTime,
  localTime,
  momentText,
  timeText,
} from "./figures.ts";
export { MODE_MEANINGS, MODE_ORDER } from "./permission-modes.ts";
export {
  compactionLine,
  costText,
  failureText,
  type Incident,
  incidentLine,
  limitText,
  pendingLine,
  promptUsage,
  type ReachedLimit,
  resumedLine,
  signInText,
  unknownOutcome,
  usageText,
} from "./prompt-lines.ts";
export { type TodoItem, todoIn, todoItems } from "./todo-items.ts";
