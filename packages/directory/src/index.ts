export { DirectoryError, type DirectoryProblem } from "./directory-error.ts";
export { type Change, changeLine } from "./manifest/difference.ts";
export type { Entry } from "./manifest/entry.ts";
export type { Manifest } from "./manifest/manifest.ts";
export { shownRules } from "./manifest/manifest.ts";
export { readManifest } from "./manifest/read-manifest.ts";
export { type ModelChoice, openModels, resolveModels } from "./models/open-models.ts";
export {
  type AgentRun,
  moveNote,
  NEW_SESSION,
  type PlacedRun,
  placeRun,
  plainRun,
  sessionWorkspaceOf,
  toolsFolder,
  workspaceOf,
} from "./opening/agent-run.ts";
export { dataDirectory, dataOfRun } from "./opening/data-directory.ts";
export {
  type Door,
  type OpenDirectory,
  type OpenDirectoryOptions,
  type Opener,
  openDirectory,
  openTrusted,
  readTrusted,
  takeSession,
  waitForSession,
} from "./opening/open-directory.ts";
export { divertConsole, type OpenRunOptions, openForTools, openRun } from "./opening/open-run.ts";
export { agentFolder, agentSource, isAgentFile } from "./places.ts";
export { countDiagnostics, type DiagnosticCounts, readDirectory, readRunnable } from "./reading/read-directory.ts";
export type { ReloadListener } from "./reloading/reloader.ts";
export { offeredMcpServers } from "./settings/mcp-config.ts";
export type { PermissionFlags } from "./settings/run-permissions.ts";
export { approvalsFolder, journalKeyFor, type RunPermissions, runPermissions } from "./settings/run-permissions.ts";
export { type Notice, type SettingsProblem, type Surroundings, warn } from "./surroundings.ts";
export { contentsLines } from "./trust/directory-contents.ts";
export { type AskTrust, type TrustAnswer, type TrustQuestion, trustedManifest } from "./trust/ensure-trust.ts";
export type { TrustRecord } from "./trust/trust-file.ts";
export {
  canBeTrusted,
  type ListedDirectory,
  trustDirectory,
  trustedDirectories,
  withdrawTrust,
} from "./trust/trust-list.ts";
export type { TrustState } from "./trust/trust-state.ts";
export { type TrustedDirectory, trustOf } from "./trust/trusted-directory.ts";
