import {
  accessOf,
  type Configuration,
  ConfigurationError,
  type LanguageModel,
  UnknownProviderError,
  vendorStatuses,
} from "@mdx-ai/models";
import type { FrontEnd } from "../front-end.ts";
import type { ReadDirectory } from "../trust/trusted-directory.ts";
import { type ModelChoice, type ModelRun, openModels, resolveModels } from "./open-models.ts";

/** An available model. */
export interface ListedModel {
  /** As the user writes it, such as "openai/gpt-5.4". */
  readonly reference: string;
  /** Where it is configured. */
  readonly origin: string;
  /** Missing environment variables. */
  readonly missing: readonly string[];
}

/** How much a model reasons. */
export type ReasoningSettings = Pick<Configuration, "reasoning_effort" | "thinking">;

/** The models available to the user of a run. */
export interface ChoosableModels {
  /**
   * The configured models, then for each vendor whose key is set its default model and those of the price table. Rejects with
   * `ConfigurationError`.
   */
  list(): Promise<readonly ListedModel[]>;
  /** Opens a model with the keys, addresses and files from the start, and other settings. Rejects as `openModels` does. */
  open(reference: string, settings?: ReasoningSettings): Promise<LanguageModel>;
}

interface ModelChoiceOptions {
  readonly run: ModelRun;
  /** The current directory. */
  directory(): ReadDirectory;
  readonly frontEnd: FrontEnd;
}

/** The models available to the user of a run: the configured ones, and others of the user's vendors. */
export function choosableModels({ run, directory, frontEnd }: ModelChoiceOptions): ChoosableModels {
  const list = (choice: ModelChoice): Promise<readonly ListedModel[]> => listedModels(choice, directory(), frontEnd);
  // Settings that the user chose last for later models, too.
  let chosen: ReasoningSettings = {};
  return {
    list: async () => {
      const asked = await list(run);
      const { model, ...flags } = run.flags;
      // The models that the flag replaced; there may be none.
      const replaced = model === undefined ? [] : await list({ ...run, flags }).catch(() => []);
      return [...new Map([...replaced, ...asked].map((one) => [one.reference, one])).values()];
    },
    open: async (reference, settings = {}) => {
      chosen = { ...chosen, ...settings };
      const flags = { ...run.flags, ...chosen, model: reference };
      try {
        return (await openModels({ ...run, flags }, directory(), frontEnd)).model;
      } catch (error) {
        // The message must not blame a flag.
        throw error instanceof ConfigurationError && error.cause instanceof UnknownProviderError ? error.cause : error;
      }
    },
  };
}

async function listedModels(
  choice: ModelChoice,
  { definition }: ReadDirectory,
  frontEnd: FrontEnd,
): Promise<readonly ListedModel[]> {
  const resolved = await resolveModels(choice, definition.settings, frontEnd);
  const configured = resolved.models.map((model) => ({
    reference: model.reference.value,
    origin: model.reference.origin,
    missing: accessOf(model)?.missing ?? [],
  }));
  const { knownModels } = await import("@mdx-ai/models/prices");
  const ready = vendorStatuses(resolved, frontEnd.environment).filter(({ key }) => key === "set");
  const usual = ready.flatMap(({ name, model, keyOrigin = "" }) =>
    model === "" ? [] : [{ reference: `${name}/${model}`, origin: keyOrigin, missing: [] }],
  );
  const known = ready.flatMap(({ name, keyOrigin = "" }) =>
    knownModels(name).map((model) => ({ reference: `${name}/${model}`, origin: keyOrigin, missing: [] })),
  );
  const all = [...configured, ...usual, ...known];
  return all.filter(({ reference }, at) => all.findIndex((one) => one.reference === reference) === at);
}
