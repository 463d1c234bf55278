export { agentAround, agentIn, agentsIn, isAgentDirectory } from "./agent-directories.ts";
export { appendLines } from "./append-lines.ts";
export {
  draftName,
  makeTemporaryFolder,
  removeTempFiles,
  removeTempFilesIn,
  setAside,
  TemporaryFolderError,
  timeName,
} from "./drafts.ts";

export { findProgram, findUnused, type ProgramSearch, type UnusedProgram } from "./find-program.ts";
export { FolderListings, isTimed, type ListFolder } from "./folder-listings.ts";
export { LineFile, openLineFile } from "./line-file.ts";
export { localTime, localTimes } from "./local-time.ts";
export { isNewer, NewerVersionError, newerText } from "./newer-version.ts";
export {
  makeFileOnce,
  makeSecret,
  randomSecret,
  readSecret,
  requireAllUnshared,
  requireOwn,
  requireSteady,
  requireUnshared,
  SharedFileError,
} from "./own-file.ts";
export { makeProcessFolder } from "./process-folder.ts";
export {
  belongsToUser,
  installFolder,
  installFolders,
  isCompiled,
  programFolder,
  programPaths,
  systemHome,
} from "./program.ts";
export { projectFolders } from "./project-folders.ts";
export {
  checkPaths,
  makePrivateFolder,
  readBytes,
  readEnd,
  readOpened,
  readPrivateFile,
  readSmallFile,
  readWholeFile,
  refuseLinks,
  sizeOf,
  textUpTo,
} from "./read-file.ts";
export { offsetOfRecent, readLines } from "./read-lines.ts";
export {
  descriptorPath,
  fileIdentity,
  isFileOrFolder,
  isFolder,
  isSameFile,
  openedIdentity,
  openedPath,
  PATH_ONLY,
  pathWithin,
  realPathOrSame,
  resolveRealPath,
} from "./real-path.ts";
export { replaceFile, replaceFileSync, syncFolder, syncFolderSync, writeContent } from "./replace-file.ts";
export { type ProgramEnd, type ProgramOptions, runProgram } from "./run-program.ts";
export {
  hasProcess,
  isRunning,
  parseProcess,
  processBirth,
  processState,
  thisProcess,
} from "./running-process.ts";
export { walkFolder } from "./walk-folder.ts";
