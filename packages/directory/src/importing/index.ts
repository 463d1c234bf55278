export { importAgent } from "./import-agent.ts";
export type { ImportedAgent, ImportedFile, ImportNote, SourceFormat } from "./imported-agent.ts";
export { type MadeDirectory, makeDirectory } from "./make-directory.ts";
