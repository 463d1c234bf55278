import { sha256 } from "@mdx-ai/base";
import { AGENT_LAYER, AGENT_TYPE, EMPTY_TYPE, MANIFEST_TYPE, SKILL_LAYER, SKILL_TYPE } from "../sources/oci-types.ts";
import { filesIn, type PackageFile } from "../sources/package-files.ts";
import { type AgentPackage, descriptionOf, type PackageName } from "./agent-package.ts";
import { CREATED, compressedArchive, inFolder, tarArchive, textFile } from "./write-archive.ts";

/** A part of an artifact: its content, and the descriptor by which manifests refer to it. */
export interface Blob {
  readonly bytes: Uint8Array;
  readonly descriptor: Descriptor;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A manifest with the blobs that it refers to. */
export interface Artifact {
  /** What it is called besides the tag of the agent, such as "skill-look"; absent for the agent itself. */
  readonly suffix?: string;
  readonly manifest: Blob;
  readonly blobs: readonly Blob[];
}

const blob = (mediaType: string, bytes: Uint8Array): Blob => ({
  bytes,
  descriptor: { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length },
});

const jsonBlob = (mediaType: string, value: unknown): Blob =>
  blob(mediaType, new TextEncoder().encode(JSON.stringify(value)));

interface Content {
  readonly artifactType: string;
  readonly layer: Blob;
  /** The name of the layer as a file. */
  readonly title: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly suffix?: string;
}

function artifact({ artifactType, layer, title, annotations, suffix }: Content): Artifact {
  const config = jsonBlob(EMPTY_TYPE, {});
  const manifest = jsonBlob(MANIFEST_TYPE, {
    ...{ schemaVersion: 2, mediaType: MANIFEST_TYPE, artifactType, config: config.descriptor },
    layers: [{ ...layer.descriptor, annotations: { "org.opencontainers.image.title": title } }],
    annotations: { "org.opencontainers.image.created": CREATED, ...annotations },
  });
  return { manifest, blobs: [config, layer], ...(suffix !== undefined && { suffix }) };
}

/** The compressed archive of an agent: the same bytes as a file and as the layer of an artifact. */
export const agentArchive = (agent: AgentPackage): Promise<Uint8Array> =>
  compressedArchive(inFolder("agent", agent.files));

/**
 * An agent as artifacts of a registry: the agent itself, and each skill in `skills/` by itself, in the type that other programs read. Equal
 * agents give equal digests.
 */
export async function agentArtifacts(
  agent: AgentPackage,
  { version }: Partial<PackageName>,
): Promise<readonly [Artifact, ...Artifact[]]> {
  const annotations = {
    "org.opencontainers.image.title": agent.definition.identity.name,
    "org.opencontainers.image.description": descriptionOf(agent),
    ...(version !== undefined && { "org.opencontainers.image.version": version }),
    [HASH_ANNOTATION]: agent.hash,
  };
  const layer = blob(AGENT_LAYER, await agentArchive(agent));
  const main = artifact({ artifactType: AGENT_TYPE, layer, title: "agent.tgz", annotations });
  return [main, ...(await skillArtifacts(agent, version))];
}

/** The hash of the agent's files. For people: whoever fetches an agent computes it again. */
const HASH_ANNOTATION = "ai.mdx.agent.hash";

async function skillArtifacts({ definition, files }: AgentPackage, version = "0.0.0"): Promise<readonly Artifact[]> {
  const artifacts = definition.skills.map(async ({ name, description, path, version: ofSkill = version }) => {
    const folder = /^(skills\/[^/]+)\//.exec(path)?.[1];
    if (folder === undefined) return [];
    const title = folder.slice("skills/".length);
    const layer = blob(SKILL_LAYER, await compressedArchive(inFolder(title, filesIn(files, folder))));
    const annotations = {
      "org.agent.skill.name": name,
      "org.agent.skill.version": ofSkill,
      "org.agent.skill.description": description.replace(/\s+/g, " "),
    };
    return [
      artifact({
        artifactType: SKILL_TYPE,
        layer,
        title: `${title}.tgz`,
        annotations,
        suffix: `skill-${tagPart(title)}`,
      }),
    ];
  });
  return (await Promise.all(artifacts)).flat();
}

const tagPart = (name: string): string => name.replace(/[^\w.-]+/g, "-").slice(0, 60);

/** The artifacts as an image layout in one tar archive, which tools for registries can copy. */
export async function ociLayout(artifacts: readonly Artifact[], tag: string): Promise<Uint8Array> {
  const blobs = artifacts.flatMap(({ manifest, blobs: parts }) => [manifest, ...parts]);
  const contents = new Map(blobs.map(({ bytes, descriptor }) => [descriptor.digest, bytes]));
  const manifests = artifacts.map(({ manifest, suffix }) => ({
    ...manifest.descriptor,
    annotations: { "org.opencontainers.image.ref.name": tagOf(tag, suffix) },
  }));
  const index = { schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests };
  const parts: readonly PackageFile[] = [...contents].map(([digest, bytes]) => ({
    ...{ path: `blobs/${digest.replace(":", "/")}`, bytes, isExecutable: false },
  }));
  return await tarArchive([
    textFile("oci-layout", '{"imageLayoutVersion":"1.0.0"}'),
    textFile("index.json", JSON.stringify(index)),
    ...parts,
  ]);
}

/** The tag of one of an agent's artifacts. */
export const tagOf = (tag: string, suffix: string | undefined): string =>
  suffix === undefined ? tag : `${tag}-${suffix}`.slice(0, 128);
