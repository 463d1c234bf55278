import type { JsonObject } from "@mdx-ai/base";
import type { AgentDefinition } from "@mdx-ai/parser";

export interface AgentCardParts {
  readonly definition: Pick<AgentDefinition, "identity" | "settings" | "skills">;
  /** Where the agent takes JSON-RPC requests: an absolute address. */
  readonly url: string;
  /** The version of the agent, or of the program that runs it. */
  readonly version: string;
}

/** The version of the protocol. */
const PROTOCOL = "1.0";

const INPUTS = ["text/plain", "application/json", "image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** The card by which other agents know an agent, as JSON of A2A 1.0. Its texts are those of the directory, which may be untrusted. */
export function agentCard({ definition, url, version }: AgentCardParts): JsonObject {
  const { identity, settings } = definition;
  const description = settings.description ?? (identity.purpose || identity.introduction || identity.name);
  return {
    ...{ name: identity.name, description, version },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: PROTOCOL }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer", description: "The server's token" } } },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
    defaultInputModes: INPUTS,
    defaultOutputModes: ["text/plain"],
    skills: [
      { id: "prompt", name: identity.name, description, tags: ["prompt"], examples: [] },
      ...definition.skills.map((skill) => ({
        ...{ id: `skill:${skill.name}`, name: skill.name, description: skill.description, tags: skill.tags ?? [] },
        examples: [],
      })),
    ],
  };
}
