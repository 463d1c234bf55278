import type { AgentDefinition, AgentIdentity } from "@mdx-ai/parser";
import type { Step } from "../loop/host.ts";
import { identityStep } from "../step-names.ts";

/**
 * Who the agent is in a session. Prose that holds code is run once, when the session is made or the prose has
 * changed, and journaled, so that the prompt stays the same to the byte. Rejects with what the code throws.
 */
export async function sessionIdentity(
  definition: AgentDefinition,
  step: Step,
  render: (program: string) => Promise<string>,
): Promise<AgentIdentity> {
  const { program } = definition;
  if (program === undefined) return definition.identity;
  const markdown = await step(identityStep(hashOf(program)), () => render(program), { accepts: isString });
  const { parseIdentity } = await import("@mdx-ai/parser/parse");
  return parseIdentity(markdown, definition.settings.name);
}

const hashOf = (program: string): string => new Bun.CryptoHasher("sha256").update(program).digest("hex").slice(0, 16);

const isString = (value: unknown): value is string => typeof value === "string";
