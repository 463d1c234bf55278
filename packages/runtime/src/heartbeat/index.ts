export { FAILURES as HEARTBEAT_FAILURES, type HeartbeatLine } from "./heartbeat-record.ts";
export {
  type HeartbeatReport,
  hasProblem,
  heartbeatReport,
  type RunReport,
  type TaskReport,
} from "./heartbeat-report.ts";
export { type HeartbeatPlan, type HeartbeatTask, heartbeatTasks } from "./heartbeat-tasks.ts";
export { heartbeatHolder, LineFileStore } from "./line-file-store.ts";
export { nextTimes, type WakeView, wakesPerDay, wakeViews } from "./upcoming-wakes.ts";
export { isSilent, wakeMessage } from "./wake-message.ts";
