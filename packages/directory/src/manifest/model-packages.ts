import type { AgentSettings } from "@mdx-ai/parser";

/** The package that connects to a model, such as `@ai-sdk/google` of `ai-sdk:@ai-sdk/google#gemini`. */
export const packageOfModel = (reference: string): string | undefined => /^\s*ai-sdk:([^#]+)#/.exec(reference)?.[1];

/** The packages of the models in the frontmatter. Their code runs in this process. */
export const modelPackages = ({ model = [] }: Pick<AgentSettings, "model">): readonly string[] =>
  [model]
    .flat()
    .flatMap((models) => models.split(","))
    .flatMap((reference) => packageOfModel(reference) ?? []);
