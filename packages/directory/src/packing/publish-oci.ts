import { requireSuccess } from "../sources/http-request.ts";
import { OciRepository, type RegistryOptions } from "../sources/oci-registry.ts";
import { MANIFEST_TYPE } from "../sources/oci-types.ts";
import { type Source, sourceError } from "../sources/source.ts";
import { type Artifact, type Blob, tagOf } from "./oci-artifact.ts";

type OciTarget = Extract<Source, { readonly type: "oci" }>;

/**
 * Uploads artifacts to one repository: the agent under the tag, the others under the tag with their suffix. What the registry has already is
 * not sent again. Returns the digest of each, in order. Rejects with `DirectoryError` ("source").
 */
export async function publishOci(
  target: OciTarget,
  artifacts: readonly Artifact[],
  options: Omit<RegistryOptions, "actions">,
): Promise<readonly string[]> {
  const repository = new OciRepository(target, { ...options, actions: "pull,push" });
  const name = `oci://${target.host}/${target.repository}`;
  for (const { manifest, blobs, suffix } of artifacts) {
    for (const blob of blobs) await upload(repository, blob, name);
    const tag = tagOf(target.tag ?? "latest", suffix);
    const answer = await repository.request(`manifests/${tag}`, {
      ...{ method: "PUT", body: manifest.bytes },
      headers: { "content-type": MANIFEST_TYPE },
    });
    requireSuccess(answer, `cannot publish ${name}:${tag}`);
  }
  return artifacts.map(({ manifest }) => manifest.descriptor.digest);
}

async function upload(repository: OciRepository, { bytes, descriptor }: Blob, name: string): Promise<void> {
  const { digest } = descriptor;
  const found = await repository.request(`blobs/${digest}`, { method: "HEAD" });
  if (found.status === 200) return;
  const started = requireSuccess(
    await repository.request("blobs/uploads/", { method: "POST", headers: { "content-length": "0" } }),
    `cannot publish to ${name}`,
  );
  const location = started.headers.get("location");
  if (location === null) throw sourceError(`${name} names no address for uploads`);
  const url = new URL(location, started.url);
  url.searchParams.set("digest", digest);
  const headers = { "content-type": "application/octet-stream" };
  requireSuccess(await repository.request(url, { method: "PUT", body: bytes, headers }), `cannot publish to ${name}`);
}
