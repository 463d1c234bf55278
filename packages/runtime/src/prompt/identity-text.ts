import type { AgentIdentity } from "@mdx-ai/parser";

/** Who the agent is: its name, then the sections of agent.mdx that say something. */
export function identityText(identity: AgentIdentity): string[] {
  return [
    identity.name === "" ? "" : `You are ${identity.name}.`,
    identity.introduction,
    section("Purpose", identity.purpose),
    section("Capabilities", list(identity.capabilities)),
    section("Constraints", list(identity.constraints)),
    section("Personality", identity.personality),
    ...identity.sections.map(({ title, body }) => section(title, body)),
  ];
}

function section(title: string, body: string): string {
  return body.trim() === "" ? "" : `## ${title}\n\n${body.trim()}`;
}

/** Further lines of an item are indented, so that they stay within it. */
function list(items: readonly string[]): string {
  return items.map((item) => `- ${item.trim().replaceAll("\n", "\n  ")}`).join("\n");
}
