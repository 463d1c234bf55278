import { readAgentDirectory } from "@mdx-ai/parser";
import type { Manifest } from "../../packages/directory/src/manifest/manifest.ts";
import { readManifest } from "../../packages/directory/src/manifest/read-manifest.ts";

/** The manifest of an agent directory as it is on disk. */
export const manifestOf = async (directory: string): Promise<Manifest> =>
  readManifest(await readAgentDirectory(directory));
