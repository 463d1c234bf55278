export { deniedPaths, isReadingDenied, shownPaths, whyHidden } from "./denied-paths.ts";
export { DeniedCallError, toolByHand, toolUnasked } from "./guarded-tool.ts";
export { textMatcher } from "./patterns.ts";
export { permissionGate } from "./permission-gate.ts";
export { type DirectoryPermissions, type ParentPermissions, Permissions } from "./permissions.ts";
export {
  changedPath,
  checkOpened,
  FileToolError,
  fileError,
  HAS_DESCRIPTOR_PATHS,
  type PermittedFile,
  permittedBy,
  resolveToPermit,
} from "./permitted-file.ts";
export { protectedPaths } from "./protected-paths.ts";
export { lastingAccesses, sandboxGrants } from "./sandbox-grants.ts";
