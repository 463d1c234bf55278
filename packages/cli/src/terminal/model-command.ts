import { didYouMean } from "@mdx-ai/base";
import { type FrontEnd, openModels, type RunOptions, resolveModels } from "@mdx-ai/directory";
import { capitalized, plainLine } from "@mdx-ai/directory/text";
import { type Configuration, ConfigurationError, type LanguageModel, UnknownProviderError } from "@mdx-ai/models";
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

/** How much a model reasons. */
type ReasoningSettings = Pick<Configuration, "reasoning_effort" | "thinking">;

/** The models available in a conversation. */
export interface ChoosableModels {
  /**
   * The configured models, then for each vendor whose key is set its default model and those of the price table. Rejects with
   * `ConfigurationError`.
   */
  list(): Promise<readonly ListedModel[]>;
  /** Opens a model with the keys, addresses and files from the start, and other settings. Rejects as `openModels` does. */
  open(reference: string, settings?: ReasoningSettings): Promise<LanguageModel>;
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
  const notes = [await unknownNote(model), model.notice && capitalized(model.notice)];
  return [answer, ...notes.flatMap((note) => note ?? [])].join("\n");
}

/** A warning about a name that the price table does not have, although it has others of the vendor. */
async function unknownNote({ provider, name }: LanguageModel): Promise<string | undefined> {
  const { knownModels, modelFacts } = await import("@mdx-ai/models/prices");
  const known = knownModels(provider);
  if (known.length === 0 || Object.keys(modelFacts(provider, name)).length > 0) return undefined;
  const hint = didYouMean(name, known, "/model lists the known ones");
  return `Warning: the price table has no ${provider} model ${plainLine(name)}, so its price and window are unknown; ${hint}`;
}

const EFFORTS = /^[a-z]+$/i;

/** Runs `/effort` or `/thinking` and returns the answer. Rejects as `ChoosableModels.open` does. */
export async function runReasoning(
  command: "/effort" | "/thinking",
  words: string,
  { models, model, use }: Pick<ModelContext, "models" | "model" | "use">,
): Promise<string> {
  const settings = command === "/effort" ? effortOf(words) : thinkingOf(words);
  if (settings === undefined) return USAGE[command];
  use(await models.open(fullName(model), settings));
  return `From the next prompt on, ${command.slice(1)} of ${fullName(model)} is ${words}.`;
}

const USAGE = {
  "/effort": "/effort WORD sets how much effort the model spends on reasoning, such as low, medium or high.",
  "/thinking": "/thinking adaptive, off or a number of tokens sets how the model thinks.",
} as const;

const effortOf = (words: string): ReasoningSettings | undefined =>
  EFFORTS.test(words) ? { reasoning_effort: words } : undefined;

function thinkingOf(words: string): ReasoningSettings | undefined {
  if (words === "adaptive" || words === "off") return { thinking: words };
  return /^[1-9]\d*$/.test(words) ? { thinking: { budget: Number(words) } } : undefined;
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
  const { knownModels } = await import("@mdx-ai/models/prices");
  const ready = vendors.filter(({ key }) => key === "set");
  const usual = ready.flatMap(({ name, model, keyOrigin = "" }) =>
    model === "" ? [] : [{ reference: `${name}/${model}`, origin: keyOrigin, missing: [] }],
  );
  const known = ready.flatMap(({ name, keyOrigin = "" }) =>
    knownModels(name).map((model) => ({ reference: `${name}/${model}`, origin: keyOrigin, missing: [] })),
  );
  const all = [...configured, ...usual, ...known];
  return all.filter(({ reference }, at) => all.findIndex((one) => one.reference === reference) === at);
}
