import { type Manifest, readManifest } from "@mdx-ai/directory";
import { readAgentDirectory } from "@mdx-ai/parser";

/** The manifest of an agent directory as it is on disk. */
export const manifestOf = async (directory: string): Promise<Manifest> =>
  readManifest(await readAgentDirectory(directory));
