import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, failureText } from "@mdx-ai/base";
import { installFolder, installFolders, realPathOrSame } from "@mdx-ai/base/disk";
import type { VectorOptions } from "./vector-search.ts";

/** The release that this version works with. */
const PACKAGE = "sqlite-vec@0.1.9";
const LIBRARY = process.platform === "darwin" ? "vec0.dylib" : "vec0.so";
/** Another place of the library. */
const VARIABLE = "MDX_AI_SQLITE_VEC";

/**
 * How entries are found by the vectors of an embedding model, such as `ollama/nomic-embed-text`; undefined, after a warning on one line, if
 * sqlite-vec is missing or the model cannot be used. Never rejects.
 */
export async function vectorOptions(
  model: string,
  { environment, onWarning }: { readonly environment: Environment } & Pick<VectorOptions, "onWarning">,
): Promise<VectorOptions | undefined> {
  const extension = findLibrary(environment);
  if (extension === undefined) {
    onWarning(
      `memory.embeddings has no effect, since sqlite-vec is missing: npm install --prefix ${installFolder()} ${PACKAGE}, or set ${VARIABLE} to its ${LIBRARY}`,
    );
    return undefined;
  }
  try {
    const { openEmbedder } = await import("@mdx-ai/models/embeddings");
    return { embedder: openEmbedder(model, environment), extension, sqlite: environment["MDX_AI_SQLITE"], onWarning };
  } catch (error) {
    onWarning(`memory.embeddings has no effect: ${failureText(error)}`);
    return undefined;
  }
}

/** The library that the user names, else that of the package beside mdx-ai: the package of this platform is beside the main one. */
function findLibrary(environment: Environment): string | undefined {
  const packaged = installFolders()
    .map((folder) => realPathOrSame(join(folder, "node_modules/sqlite-vec")))
    .map((folder) => join(`${folder}-${process.platform}-${process.arch}`, LIBRARY));
  return [environment[VARIABLE] ?? "", ...packaged].find((path) => path !== "" && existsSync(path));
}
