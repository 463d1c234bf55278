import { isRecord, jsonValue, listOf, quoted, sha256 } from "@mdx-ai/base";
import { requireSuccess, UNCHANGED } from "./http-request.ts";
import { requireIntegrity } from "./integrity.ts";
import { OciRepository, type RegistryOptions } from "./oci-registry.ts";
import { AGENT_LAYER, AGENT_TYPE, MANIFEST_TYPE } from "./oci-types.ts";
import { PACKAGE_LIMITS, type PackageFile, tooManyBytes } from "./package-files.ts";
import { readArchive } from "./read-archive.ts";
import { type Origin, type Source, sourceError } from "./source.ts";

type OciSource = Extract<Source, { readonly type: "oci" }>;
type OciOrigin = Extract<Origin, { readonly type: "oci" }>;

export interface FetchedArtifact {
  readonly origin: OciOrigin;
  readonly files: readonly PackageFile[];
}

export interface OciRequest extends Omit<RegistryOptions, "actions"> {
  readonly pinned?: OciOrigin | undefined;
}

/**
 * Downloads an artifact from its registry and unpacks it in memory. Rejects with `DirectoryError` ("source"), also if a part is not what its
 * digest says.
 */
export async function readOci(source: OciSource, { pinned, ...options }: OciRequest): Promise<FetchedArtifact> {
  const repository = new OciRepository(source, { ...options, actions: "pull" });
  const name = `oci://${source.host}/${source.repository}`;
  const wanted = pinned?.digest ?? source.digest;
  if (pinned !== undefined && source.digest !== undefined) requireIntegrity(name, source.digest, pinned.digest);
  const reference = wanted ?? source.tag ?? "latest";
  const answer = await repository.request(`manifests/${reference}`, { headers: { accept: MANIFEST_TYPE } });
  const manifest = requireSuccess(answer, `${name}, ${quoted(reference)}`).bytes;
  const digest = `sha256:${sha256(manifest)}`;
  if (wanted !== undefined) requireIntegrity(name, digest, wanted);
  const layer = agentLayer(manifest, name);
  if (layer.size > PACKAGE_LIMITS.bytes) throw tooManyBytes(PACKAGE_LIMITS.bytes);
  const blob = await repository.request(`blobs/${layer.digest}`, { headers: UNCHANGED, maxBytes: layer.size });
  const { bytes } = requireSuccess(blob, `${name}, ${layer.digest}`);
  requireIntegrity(`the content of ${name}`, `sha256:${sha256(bytes)}`, layer.digest);
  return { origin: { type: "oci", digest }, files: await readArchive(bytes) };
}

interface Layer {
  readonly digest: string;
  readonly size: number;
}

/** The layer with the agent. Throws `DirectoryError` ("source") if there is none. */
function agentLayer(bytes: Uint8Array, name: string): Layer {
  const manifest: unknown = jsonValue(Buffer.from(bytes).toString());
  if (!isRecord(manifest)) throw sourceError(`${name} has no valid manifest`);
  const type = manifest["artifactType"] ?? (isRecord(manifest["config"]) ? manifest["config"]["mediaType"] : undefined);
  const layers = listOf(manifest["layers"]).filter(isRecord);
  const layer = layers.find((each) => each["mediaType"] === AGENT_LAYER);
  if (type !== AGENT_TYPE || layer === undefined) {
    throw sourceError(`${name} is not an agent but of type ${quoted(String(type ?? manifest["mediaType"]))}`);
  }
  const { digest, size } = layer;
  if (typeof digest === "string" && /^sha256:[0-9a-f]{64}$/.test(digest) && typeof size === "number") {
    return { digest, size };
  }
  throw sourceError(`${name} has no valid manifest`);
}
