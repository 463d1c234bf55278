// What reads an agent directory and the settings, for commands that run no agent: nothing that runs one is loaded.
export { DirectoryError } from "../directory-error.ts";
export { userSettings } from "../settings/user-settings.ts";
export { countDiagnostics, type DiagnosticCounts, readDirectory } from "./read-directory.ts";
