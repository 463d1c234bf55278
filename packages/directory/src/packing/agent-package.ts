import { isRecord, isText, isWithin, jsonValue } from "@mdx-ai/base";
import type { AgentDefinition, AgentDirectory } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { filesOf, isInside, itemsOf, type Manifest } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { hashFiles } from "../sources/hash-tree.ts";
import { agentFiles, type PackageFile } from "../sources/package-files.ts";
import { readFolder } from "../sources/read-folder.ts";

/** An agent that is packed: its files and what its packages say about it. */
export interface AgentPackage {
  /** Its directory. Absolute. */
  readonly path: string;
  readonly definition: AgentDefinition;
  /** Sorted by path. */
  readonly files: readonly PackageFile[];
  /** As `hashTree` computes it. */
  readonly hash: string;
  /** The packages that its code imports, directly or not, as `NAME@VERSION`. */
  readonly packages: readonly string[];
  /** Its own package.json; empty if there is none. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** The name and version under which an agent is published. */
export interface PackageName {
  readonly name: string;
  readonly version: string;
}

/**
 * Reads what is packed of an agent directory. Runs none of it. Rejects with `DirectoryError` ("source") as `hashTree` does, and if the agent
 * uses files outside its directory.
 */
export async function readAgentPackage(directory: AgentDirectory): Promise<AgentPackage> {
  const { path, definition } = directory;
  const { files } = agentFiles(await readFolder(path));
  const contents = await readManifest(directory);
  requireInside(directory, contents);
  const written = files.find((file) => file.path === "package.json");
  const manifest: unknown = written && jsonValue(Buffer.from(written.bytes).toString());
  return {
    ...{ path, definition, files, hash: hashFiles(files), packages: itemsOf(contents, "package") },
    manifest: isRecord(manifest) ? manifest : {},
  };
}

/** A package.json or tsconfig.json above the directory may belong to anything. */
function requireInside({ realPath }: AgentDirectory, manifest: Manifest): void {
  const files = filesOf(manifest).filter(({ kind, item }) => kind !== "file" && !isInside(item));
  const agents = [...manifest.agents.keys()].filter((path) => !isWithin(realPath, path));
  const [first] = [...files.map(({ item }) => item), ...agents];
  if (first === undefined) return;
  throw new DirectoryError(
    "source",
    `the agent uses ${first}, which is outside its directory and would be missing; move it inside`,
  );
}

/** Text that is usable as a name everywhere: lower-case letters, digits and hyphens; never empty. */
export const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100) || "agent";

/** One line about the agent, for lists of packages. */
export function descriptionOf({ definition, manifest }: AgentPackage): string {
  const { identity, settings } = definition;
  const written = settings.description ?? manifest["description"];
  const text = isText(written) ? written : identity.introduction || identity.purpose;
  return text
    .split(/\n\s*\n/, 1)
    .join("")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 500);
}

/** The given name and version, or those of the agent's package.json. */
export function packageName({ definition, manifest }: AgentPackage, given: Partial<PackageName>): Partial<PackageName> {
  const { name = manifest["name"], version = manifest["version"] } = given;
  return {
    name: isText(name) ? name : slug(definition.identity.name),
    ...(isText(version) && { version }),
  };
}

/** Throws `DirectoryError` ("source") without a version, which npm needs, or with names that npm does not take. */
export function npmName(agent: AgentPackage, given: Partial<PackageName>): PackageName {
  const { name = "", version } = packageName(agent, given);
  if (!/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name) || name.length > 214) {
    throw new DirectoryError(
      "source",
      `${name} is not a name for a package of npm; write it in lower case, such as @acme/weather`,
    );
  }
  if (version === undefined || !/^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/.test(version)) {
    const what = version === undefined ? "the package needs a version" : `${version} is not a version`;
    throw new DirectoryError(
      "source",
      `${what}, such as 1.0.0; give name and version, ${name}@1.0.0, or write them in package.json`,
    );
  }
  return { name, version };
}
