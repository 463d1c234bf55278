import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { failureOf, findKeys } from "@mdx-ai/base";
import { replaceFile, writeContent } from "@mdx-ai/base/disk";
import type { PackageFile } from "../sources/package-files.ts";
import { sourceError } from "../sources/source.ts";
import { writeFiles } from "../sources/write-files.ts";
import { type AgentPackage, npmName, type PackageName, packageName } from "./agent-package.ts";
import { claudePlugin } from "./claude-plugin.ts";
import { npmPackage } from "./npm-package.ts";
import { agentArchive, agentArtifacts, ociLayout } from "./oci-artifact.ts";

/** The formats of `mdx-ai pack`. */
export const PACK_FORMATS = ["tgz", "npm", "oci", "plugin"] as const;

export type PackFormat = (typeof PACK_FORMATS)[number];

/** The content of a package: one file, or the files of a folder. */
export type PackedAgent =
  | { readonly type: "file"; readonly bytes: Uint8Array }
  | { readonly type: "folder"; readonly files: readonly PackageFile[] };

export interface PackOptions {
  /** Default: those of the agent's package.json, and the name of the agent. */
  readonly named: Partial<PackageName>;
  /** The version of mdx-ai that runs the agent. */
  readonly program: string;
}

/** Packs an agent. Equal agents give equal bytes. Rejects with `DirectoryError` ("source") without a version if npm needs one. */
export async function packAgent(
  agent: AgentPackage,
  format: PackFormat,
  { named, program }: PackOptions,
): Promise<PackedAgent> {
  switch (format) {
    case "tgz":
      return { type: "file", bytes: await agentArchive(agent) };
    case "npm":
      return { type: "file", bytes: (await npmPackage(agent, npmName(agent, named), program)).bytes };
    case "oci": {
      const { version } = packageName(agent, named);
      const artifacts = await agentArtifacts(agent, version === undefined ? {} : { version });
      return { type: "file", bytes: await ociLayout(artifacts, version?.replaceAll("+", "_") ?? "latest") };
    }
    case "plugin":
      return { type: "folder", files: claudePlugin(agent, named, program) };
  }
}

/** Writes a package: a file replaces another, but a folder must be new. Rejects with `DirectoryError` ("source"). */
export async function writePackage(path: string, packed: PackedAgent): Promise<void> {
  if (packed.type === "folder") return await writeFiles(path, packed.files);
  try {
    mkdirSync(dirname(path), { recursive: true });
    await replaceFile({ path, mode: 0o644, fill: (draft) => writeContent(draft, packed.bytes) });
  } catch (error) {
    throw sourceError(failureOf(`cannot write ${path}`, error), error);
  }
}

/** Where an agent's files contain what looks like a key, as "FILE:LINE: KIND". */
export function keysIn({ files }: AgentPackage): readonly string[] {
  return files.flatMap(({ path, bytes }) => {
    if (bytes.length > MAX_TEXT || bytes.includes(0)) return [];
    const text = Buffer.from(bytes).toString();
    return findKeys(text).map(({ kind, index }) => `${path}:${text.slice(0, index).split("\n").length}: ${kind}`);
  });
}

/** Larger files are data. */
const MAX_TEXT = 1024 * 1024;
