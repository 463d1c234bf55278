import type { AgentIdentity } from "@mdx-ai/parser";
import { bulletList, section } from "./section.ts";

/** Who the agent is: its name, then the sections of agent.mdx that say something. */
export function identityText(identity: AgentIdentity): string[] {
  return [
    identity.name === "" ? "" : `You are ${identity.name}.`,
    identity.introduction,
    section("Purpose", identity.purpose),
    section("Capabilities", bulletList(identity.capabilities)),
    section("Constraints", bulletList(identity.constraints)),
    section("Personality", identity.personality),
    ...identity.sections.map(({ title, body }) => section(title, body)),
  ];
}
