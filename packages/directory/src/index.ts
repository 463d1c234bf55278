export { DirectoryError, type DirectoryProblem } from "./directory-error.ts";
export { type FrontEnd, type Notice, type SettingsProblem, warn } from "./front-end.ts";
export { shownRules } from "./manifest/capabilities.ts";
export { type Change, changeLine } from "./manifest/difference.ts";
export type { Entry, Manifest } from "./manifest/manifest.ts";
export { readManifest } from "./manifest/read-manifest.ts";
export {
  type ChoosableModels,
  choosableModels,
  type ListedModel,
  type ReasoningSettings,
} from "./models/choosable-models.ts";
export { type ModelChoice, openModels, resolveModels } from "./models/open-models.ts";
export { type OpenDirectoryOptions, openDirectory } from "./opening/open-directory.ts";
export type { OpenDirectory, OpenOptions, SharedAgent, SharedSessions } from "./opening/open-options.ts";
export { agentOptions, loadParts, openForTools, openRun } from "./opening/open-run.ts";
export { moveNote, NEW_SESSION, type PreparedRun, prepareRun, workspaceOf } from "./opening/prepare-run.ts";
export { plainRun, type RunOptions } from "./opening/run-options.ts";
export { agentFolder, dataDirectory, dataOfRun, isAgentFile, lastingPath } from "./paths.ts";
export {
  countDiagnostics,
  type DiagnosticCounts,
  readDirectory,
  readRunnable,
  requireAgent,
} from "./reading/read-directory.ts";
export type { ReloadListener } from "./reloading/reloader.ts";
export { type UnattendedReload, unattendedReload } from "./reloading/unattended-reload.ts";
export { joinRepository } from "./repository/join-repository.ts";
export { type RepositoryParts, readRepositoryParts } from "./repository/repository-parts.ts";
export { keepRepositoryTrust, type RepositoryTrust, repositoryTrust } from "./repository/repository-trust.ts";
export { offeredMcpServers } from "./settings/mcp-config.ts";
export {
  approvalsFolder,
  journalKeyFor,
  type PermissionFlags,
  questionsFolder,
  type RunSettings,
  runSettings,
} from "./settings/run-settings.ts";
export { userSettings } from "./settings/user-settings.ts";
export { contentsLines } from "./trust/directory-contents.ts";
export {
  type AskTrust,
  readTrusted,
  type TrustAnswer,
  type TrustOptions,
  type TrustQuestion,
  trustedManifest,
} from "./trust/ensure-trust.ts";
export type { TrustRecord } from "./trust/trust-file.ts";
export {
  canBeTrusted,
  type ListedDirectory,
  trustDirectory,
  trustedDirectories,
  withdrawTrust,
} from "./trust/trust-list.ts";
export type { TrustState } from "./trust/trust-state.ts";
export { type ReadDirectory, type TrustedDirectory, trustOf } from "./trust/trusted-directory.ts";
