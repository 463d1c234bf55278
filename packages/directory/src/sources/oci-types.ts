/** The media types of an agent in a registry. docs/sharing.md documents them. */
export const AGENT_TYPE = "application/vnd.mdx-ai.agent.v1+json";
/** A compressed archive with the agent's files in one folder, as `mdx-ai pack --format tgz` writes it. */
export const AGENT_LAYER = "application/vnd.mdx-ai.agent.content.v1.tar+gzip";
export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";
export const EMPTY_TYPE = "application/vnd.oci.empty.v1+json";
/** A skill by itself, in the types that registries document for skills. */
export const SKILL_TYPE = "application/vnd.agent.skill.v1+json";
export const SKILL_LAYER = "application/vnd.agent.skill.content.v1.tar+gzip";
