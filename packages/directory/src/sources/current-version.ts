import { type Environment, isRecord, isText, jsonValue, listOf, sha256 } from "@mdx-ai/base";
import { httpRequest, requireSuccess } from "./http-request.ts";
import { isPrivateHost } from "./loopback.ts";
import { npmSettings } from "./npm-settings.ts";
import { OciRepository } from "./oci-registry.ts";
import { MANIFEST_TYPE } from "./oci-types.ts";
import { latestNpmVersion } from "./read-npm.ts";

export interface CurrentVersionRequest {
  readonly environment: Environment;
  /** Where npm's settings of a project are. Absolute. */
  readonly currentDirectory: string;
  readonly signal: AbortSignal;
}

export type VersionRegistry = "npm" | "pypi" | "image";

/** How long a registry may take to name a version, in milliseconds. */
const MAX_LOOKUP = 5000;

/**
 * The version that a registry of the user has now: of a package the latest one, of an image the digest of its tag. Undefined if the registry
 * cannot be asked. Rejects with the signal's reason.
 */
export async function currentVersion(
  registry: VersionRegistry,
  name: string,
  request: CurrentVersionRequest,
): Promise<string | undefined> {
  const { signal } = request;
  try {
    return await LOOKUPS[registry](name, { ...request, signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_LOOKUP)]) }); // biome-ignore format: short
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

type Lookup = (name: string, request: CurrentVersionRequest) => Promise<string | undefined>;

const LOOKUPS: Readonly<Record<VersionRegistry, Lookup>> = {
  npm: (name, { environment, currentDirectory, signal }) =>
    latestNpmVersion(name, { settings: npmSettings(environment, currentDirectory), signal }),
  pypi: latestPypiVersion,
  image: digestOfImage,
};

/** The answer of a package index as JSON (PEP 691). */
const INDEX_TYPE = "application/vnd.pypi.simple.v1+json";
const MAX_INDEX = 64 * 1024 * 1024;

async function latestPypiVersion(
  name: string,
  { environment, signal }: CurrentVersionRequest,
): Promise<string | undefined> {
  const variables = ["UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"];
  const index = variables.map((variable) => environment[variable]).find(Boolean) ?? "https://pypi.org/simple/";
  const url = new URL(`${name.toLowerCase().replace(/[-_.]+/g, "-")}/`, index.replace(/\/*$/, "/"));
  const { bytes } = requireSuccess(await httpRequest({ url, headers: { accept: INDEX_TYPE }, signal, maxBytes: MAX_INDEX }), name); // biome-ignore format: short
  const page: unknown = jsonValue(Buffer.from(bytes).toString());
  if (!isRecord(page)) return undefined;
  const files = listOf(page["files"]).filter(isRecord);
  const isOffered = (version: string): boolean =>
    files.some(({ filename, yanked }) => isText(filename) && filename.includes(`-${version}`) && !yanked);
  const releases = listOf(page["versions"]).filter(isText).filter((version) => /^\d+(?:\.\d+)*(?:\.post\d+)?$/.test(version)); // biome-ignore format: short
  return releases.filter(isOffered).toSorted(byNumbers).at(-1);
}

function byNumbers(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => (version.match(/\d+/g) ?? []).map(Number));
  const index = first?.findIndex((number, position) => number !== (second?.[position] ?? -1)) ?? -1;
  return index < 0 ? -1 : (first?.[index] ?? 0) - (second?.[index] ?? -1);
}

const IMAGE_TYPES: string = [
  MANIFEST_TYPE,
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/** An agent's author names the host, so no host of this machine or of a private network is asked. */
async function digestOfImage(
  name: string,
  { environment, signal }: CurrentVersionRequest,
): Promise<string | undefined> {
  const [, written, path = "", tag = "latest"] =
    /^(?:([^/]*[.:][^/]*|localhost)\/)?([a-z0-9/._-]+)(?::([\w.-]+))?$/.exec(name) ?? [];
  const host = written ?? "docker.io";
  if (path === "" || isPrivateHost(host.replace(/:\d+$/, ""))) return undefined;
  const registry = new OciRepository({ host, repository: path }, { environment, signal, actions: "pull" });
  const answer = await registry.request(`manifests/${tag}`, { headers: { accept: IMAGE_TYPES } });
  return sha256(requireSuccess(answer, name).bytes);
}
