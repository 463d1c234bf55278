// The file functions that other packages use, without the rest of the runtime.
export { agentAround, agentsIn, isAgentDirectory } from "./agent-directories.ts";
export { makeOwnFolder } from "./check-paths.ts";
export { errorCode } from "./error-code.ts";
export { findProgram } from "./find-program.ts";
export { isNewer, NewerVersionError, newerText } from "./newer-version.ts";
export {
  makeSecret,
  randomSecret,
  readSecret,
  requireOwn,
  requireSteady,
  requireUnshared,
  SharedFileError,
} from "./own-file.ts";
export { projectFolders } from "./project-folders.ts";
export { readOpened } from "./read-file.ts";
export { realPlaceOrSame } from "./real-place.ts";
export { replaceFileSync } from "./replace-file.ts";
export { shellWord } from "./shell-word.ts";
