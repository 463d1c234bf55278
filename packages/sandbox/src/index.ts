export { attachBare } from "./attached-process.ts";
export {
  type CommandSandbox,
  type DeniedPaths,
  HOST_NETWORK,
  type ProcessStart,
  type SandboxFactory,
  type SandboxPolicy,
  type SandboxRequest,
  type StartedProcess,
} from "./command-sandbox.ts";
export type { CredentialKey, SandboxCredential } from "./credentials/sandbox-credential.ts";
export { GitError, type GitPlace, type GitResult, gitStatus, runGit, runQuietGit } from "./git.ts";
export { isNamedByGit } from "./git-folders.ts";
export {
  allowanceOf,
  type Destination,
  isListedHost,
  listedDestination,
  PublicAddresses,
} from "./network/allowed-hosts.ts";
export { bridgeTask } from "./network/bridge-environment.ts";
export { openRepository } from "./open-repository.ts";
export { freePlaceholder, isPlaceholder, placeholdersNow } from "./placeholders.ts";
export { DEFAULT_SECONDS, MAX_KIBIBYTES } from "./process-limits.ts";
export { Sandbox, SandboxMissingError, sandboxPolicy } from "./sandbox.ts";
export type { SandboxLists } from "./sandbox-lists.ts";
export { CHANNEL, startBare } from "./start-process.ts";
export type { AttachedProcess, SandboxDescription, SandboxView, ToolSandboxView } from "./types/sandbox.ts";
