export { type CurrentVersionRequest, currentVersion } from "./current-version.ts";
export { type FetchedAgent, type FetchOptions, fetchSource } from "./fetch-source.ts";
export { hashTree } from "./hash-tree.ts";
export { npmSettings } from "./npm-settings.ts";
export { parseSource, sourceText } from "./parse-source.ts";
export type { Origin, Source } from "./source.ts";
