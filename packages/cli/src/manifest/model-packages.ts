import type { AgentSettings } from "@mdx-ai/parser";

/** The package that speaks to a model, such as `@ai-sdk/google` of `ai-sdk:@ai-sdk/google#gemini`. */
export const packageOfModel = (reference: string): string | undefined => /^\s*ai-sdk:([^#]+)#/.exec(reference)?.[1];

/** Those of the models of the frontmatter: their code runs in this program itself. */
export const modelPackages = ({ model = [] }: Pick<AgentSettings, "model">): readonly string[] =>
  [model]
    .flat()
    .flatMap((models) => models.split(","))
    .flatMap((reference) => packageOfModel(reference) ?? []);
