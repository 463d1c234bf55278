import { join } from "node:path";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { AgentOptions, TrustedCode } from "@mdx-ai/runtime";
import type { Manifest } from "../manifest/manifest.ts";
import { codeHashes, importedHash, shadowingFiles, trustedFiles } from "../manifest/trusted-files.ts";

/** A directory that the user trusts. */
export interface TrustedDirectory extends AgentDirectory {
  /** What that trust covers. */
  readonly manifest: Manifest;
}

/** The code that the user's trust covers; none for a directory that runs nothing. */
export const trustOf = (directory: AgentDirectory | TrustedDirectory): Pick<AgentOptions, "trusted"> =>
  "manifest" in directory ? { trusted: trustedCode(directory) } : {};

const trustedCode = ({ path, manifest }: TrustedDirectory): TrustedCode => ({
  files: [...trustedFiles(manifest), ...shadowingFiles(manifest)],
  tools: codeHashes(manifest),
  modules: importedHash(manifest),
  imports: {
    hashes: manifest.hashes,
    links: manifest.links.map((link) => join(path, link)),
    absent: manifest.shadows.map((shadow) => join(path, shadow)),
  },
});
