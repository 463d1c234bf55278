import type { AgentDefinition, Diagnostic, LocatedModel, ProseFile } from "@mdx-ai/parser";
import { defineAgent } from "@mdx-ai/parser/parse";

/** What an agent.mdx says, on one level. */
export interface ReadAgentMdx extends AgentDefinition {
  readonly kind: ProseFile["kind"];
  readonly models: readonly LocatedModel[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the text of an agent.mdx, as if it was a directory of its own. */
export async function parseAgentMdx(
  text: string,
  { hasModules = false }: { readonly hasModules?: boolean } = {},
): Promise<ReadAgentMdx> {
  const modules = hasModules ? ["modules/more.ts"] : [];
  const { definition, files, models, diagnostics } = await defineAgent({
    agent: { path: "agent.mdx", text },
    ...{ modules, skills: [], folders: [] },
  });
  return { ...definition, kind: files[0]?.kind ?? "markdown", models, diagnostics };
}
