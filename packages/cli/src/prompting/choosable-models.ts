import { type AgentRun, openModels, resolveModels, type Surroundings } from "@mdx-ai/directory";
import { ConfigurationError, UnknownProviderError } from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { ChoosableModels, ListedModel } from "../terminal/model-command.ts";

export interface ModelChoiceOptions {
  readonly run: AgentRun;
  /** The agent as it is now. */
  directory(): AgentDirectory;
  readonly surroundings: Surroundings;
}

/** The models that a conversation can choose: what its start was configured with, and more of the user's vendors. */
export function choosableModels({ run, directory, surroundings }: ModelChoiceOptions): ChoosableModels {
  const list = (choice: Pick<AgentRun, "flags" | "configuration">): Promise<readonly ListedModel[]> =>
    listedModels(choice, directory(), surroundings);
  return {
    list: async () => {
      const asked = await list(run);
      const { model, ...flags } = run.flags;
      // What the flag replaced; without it nothing may be configured.
      const replaced = model === undefined ? [] : await list({ ...run, flags }).catch(() => []);
      return [...new Map([...replaced, ...asked].map((one) => [one.reference, one])).values()];
    },
    open: async (reference) => {
      const flags = { ...run.flags, model: reference };
      try {
        return (await openModels({ ...run, flags }, directory(), surroundings)).model;
      } catch (error) {
        // No flag said it.
        throw error instanceof ConfigurationError && error.cause instanceof UnknownProviderError ? error.cause : error;
      }
    },
  };
}

async function listedModels(
  choice: Pick<AgentRun, "flags" | "configuration">,
  { definition }: AgentDirectory,
  surroundings: Surroundings,
): Promise<readonly ListedModel[]> {
  const { modelsReport } = await import("../inspection/models-report.ts");
  const { models, vendors } = modelsReport(
    await resolveModels(choice, definition.settings, surroundings),
    surroundings.environment,
  );
  const configured = models.map(({ reference, origin, missing }) => ({ reference, origin, missing }));
  const usual = vendors.flatMap(({ name, model, key, keyOrigin = "" }) =>
    key === "set" && model !== "" ? [{ reference: `${name}/${model}`, origin: keyOrigin, missing: [] }] : [],
  );
  return [...configured, ...usual.filter(({ reference }) => !configured.some((one) => one.reference === reference))];
}
