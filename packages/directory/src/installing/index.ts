export {
  AGENTS_LOCK,
  agentHome,
  currentVersion,
  installedDirectory,
  isAgentName,
  projectRoot,
  projectShelf,
  type Shelf,
  shelves,
  userShelf,
  versionFolder,
} from "../installed-agents.ts";
export { type Power, powerOf } from "../manifest/power.ts";
export { type PowerChange, powerChangeLine } from "../manifest/power-difference.ts";
export { type LockedAgent, readAgentsLock } from "./agents-lock.ts";
export { compareVersions, type VersionDifference } from "./compare-versions.ts";
export { completeInstall, installAgent, removeAgent, rollbackAgent, stagingFolder } from "./install-agent.ts";
export { type InstalledVersion, readVersion, requireCurrent } from "./installed-version.ts";
export { type PlannedUpdate, planUpdate } from "./plan-update.ts";
export { removeTree } from "./read-only-tree.ts";
export { originText, type StagedAgent, stageAgent } from "./stage-agent.ts";
export { type VerifiedAgent, verifyAgents } from "./verify-agent.ts";
