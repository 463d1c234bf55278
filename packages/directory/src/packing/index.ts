export { type AgentPackage, npmName, type PackageName, readAgentPackage } from "./agent-package.ts";
export { npmPackage } from "./npm-package.ts";
export { agentArtifacts } from "./oci-artifact.ts";
export { keysIn, PACK_FORMATS, type PackedAgent, type PackFormat, packAgent, writePackage } from "./pack-agent.ts";
export { type NpmPublication, publishNpm } from "./publish-npm.ts";
export { publishOci } from "./publish-oci.ts";
