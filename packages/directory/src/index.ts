export { DirectoryError, type DirectoryProblem } from "./directory-error.ts";
export type { Manifest } from "./manifest/manifest.ts";
export { changeLine, type ManifestChange } from "./manifest/manifest-changes.ts";
export { readManifest } from "./manifest/read-manifest.ts";
export { shownRules } from "./manifest/shown-rules.ts";
export { openModels } from "./models/open-models.ts";
export { type ModelChoice, resolveModels } from "./models/resolve-models.ts";
export { type AgentRun, plainRun } from "./opening/agent-run.ts";
export { dataDirectory, dataOfRun } from "./opening/data-directory.ts";
export { divertConsole } from "./opening/module-console.ts";
export {
  type Door,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  openTrusted,
} from "./opening/open-directory.ts";
export { type OpenRunOptions, openRun } from "./opening/open-run.ts";
export { NEW_SESSION, type PlacedRun, placeRun } from "./opening/place-run.ts";
export { type Opener, readTrusted } from "./opening/read-trusted.ts";
export { takeSession, waitForSession } from "./opening/wait-for-session.ts";
export { countDiagnostics, type DiagnosticCounts, readDirectory, readRunnable } from "./reading/read-directory.ts";
export type { ReloadListener } from "./reloading/reloader.ts";
export type { PermissionFlags } from "./settings/permission-flags.ts";
export { type RunPermissions, runPermissions } from "./settings/run-permissions.ts";
export { type Notice, type SettingsProblem, type Surroundings, warn } from "./surroundings.ts";
export { contentsLines } from "./trust/directory-contents.ts";
export {
  type AskTrust,
  ensureTrust,
  type TrustAnswer,
  type TrustQuestion,
  trustedManifest,
} from "./trust/ensure-trust.ts";
export { keepTrust, trustRecordOf } from "./trust/keep-trust.ts";
export { hasOwnEdits, requireOwnEdits } from "./trust/own-edits.ts";
export { changeTrustFile, readTrustFile, trustFile } from "./trust/trust-file.ts";
export type { TrustRecord } from "./trust/trust-record.ts";
export { type TrustState, usableTrustFile } from "./trust/trust-state.ts";
export { type TrustedDirectory, trustOf } from "./trust/trusted-directory.ts";
