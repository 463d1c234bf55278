import { type FrontEnd, openModels, type RunOptions, resolveModels } from "@mdx-ai/directory";
import { capitalized } from "@mdx-ai/directory/text";
import { ConfigurationError, type LanguageModel, UnknownProviderError } from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { Choose } from "./list-questions.ts";

/** An available model. */
export interface ListedModel {
  /** As the user writes it, such as "openai/gpt-5.4". */
  readonly reference: string;
  /** Where it is configured. */
  readonly origin: string;
  /** Missing environment variables. */
  readonly missing: readonly string[];
}

/** The models available in a conversation. */
export interface ChoosableModels {
  /** The configured models, and the default model of each vendor whose key is set. Rejects with `ConfigurationError`. */
  list(): Promise<readonly ListedModel[]>;
  /** Opens a model with the keys, addresses and files from the start. Rejects as `openModels` does. */
  open(reference: string): Promise<LanguageModel>;
}

export interface ModelContext {
  readonly models: ChoosableModels;
  /** The model for the next prompts. */
  readonly model: LanguageModel;
  readonly choose: Choose;
  /** Uses a model from the next prompt on. */
  use(model: LanguageModel): void;
}

/** Runs `/model` and returns the answer; without words, the user chooses from a list. Rejects as `ChoosableModels` does. */
export async function runModel(words: string, context: ModelContext): Promise<string> {
  const reference = words === "" ? await chosenModel(context) : words;
  if (reference === undefined) return `The model stays ${fullName(context.model)}.`;
  const model = await context.models.open(reference);
  if (fullName(model) === fullName(context.model)) return `The model is already ${fullName(model)}.`;
  context.use(model);
  const answer = `From the next prompt on, the model is ${fullName(model)}.`;
  return model.notice === undefined ? answer : `${answer}\n${capitalized(model.notice)}`;
}

async function chosenModel({ models, model, choose }: ModelContext): Promise<string | undefined> {
  const listed = await models.list();
  const current = fullName(model);
  // The current model is first, so that Enter changes nothing.
  const rows = [...listed].sort((a, b) => Number(b.reference === current) - Number(a.reference === current));
  const chosen = await choose({
    question: "Which model do you want to use? You can also type another one: VENDOR/NAME",
    verb: "chooses",
    choices: rows.map(({ reference, origin, missing }) => ({
      title: reference,
      details: reference === current ? `${origin}, in use` : origin,
      remark: missing.length === 0 ? "" : `${missing.join(" and ")} not set`,
    })),
  });
  return chosen?.type === "typed" ? chosen.text : chosen && rows[chosen.index]?.reference;
}

const fullName = ({ provider, name }: LanguageModel): string => `${provider}/${name}`;

export interface ModelChoiceOptions {
  readonly run: RunOptions;
  /** The current agent directory. */
  directory(): AgentDirectory;
  readonly frontEnd: FrontEnd;
}

/** The models available in a conversation: the configured ones, and others of the user's vendors. */
export function choosableModels({ run, directory, frontEnd }: ModelChoiceOptions): ChoosableModels {
  const list = (choice: Pick<RunOptions, "flags" | "configuration">): Promise<readonly ListedModel[]> =>
    listedModels(choice, directory(), frontEnd);
  return {
    list: async () => {
      const asked = await list(run);
      const { model, ...flags } = run.flags;
      // The models that the flag replaced; there may be none.
      const replaced = model === undefined ? [] : await list({ ...run, flags }).catch(() => []);
      return [...new Map([...replaced, ...asked].map((one) => [one.reference, one])).values()];
    },
    open: async (reference) => {
      const flags = { ...run.flags, model: reference };
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
  choice: Pick<RunOptions, "flags" | "configuration">,
  { definition }: AgentDirectory,
  frontEnd: FrontEnd,
): Promise<readonly ListedModel[]> {
  const { modelsReport } = await import("../inspection/models-report.ts");
  const { models, vendors } = modelsReport(
    await resolveModels(choice, definition.settings, frontEnd),
    frontEnd.environment,
  );
  const configured = models.map(({ reference, origin, missing }) => ({ reference, origin, missing }));
  const usual = vendors.flatMap(({ name, model, key, keyOrigin = "" }) =>
    key === "set" && model !== "" ? [{ reference: `${name}/${model}`, origin: keyOrigin, missing: [] }] : [],
  );
  return [...configured, ...usual.filter(({ reference }) => !configured.some((one) => one.reference === reference))];
}
