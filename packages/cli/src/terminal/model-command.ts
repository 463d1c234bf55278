import { capitalized } from "@mdx-ai/directory/text";
import type { LanguageModel } from "@mdx-ai/models";
import type { Choose } from "./list-questions.ts";

/** A model that can be chosen. */
export interface ListedModel {
  /** As the user may write it, such as "openai/gpt-5.4". */
  readonly reference: string;
  /** Where it is configured. */
  readonly origin: string;
  /** Missing variables that it needs. */
  readonly missing: readonly string[];
}

/** The models of a conversation. */
export interface ChoosableModels {
  /** Those that are configured, and the usual one of each vendor whose key is set. Rejects with `ConfigurationError`. */
  list(): Promise<readonly ListedModel[]>;
  /** Opens a model with the keys, addresses and files of the start. Rejects as `openModels` does. */
  open(reference: string): Promise<LanguageModel>;
}

export interface ModelContext {
  readonly models: ChoosableModels;
  /** The model of the next prompts. */
  readonly model: LanguageModel;
  readonly choose: Choose;
  /** Uses a model from the next prompt on. */
  use(model: LanguageModel): void;
}

/** Runs `/model` with these words and returns the answer; without any the user chooses from a list. Rejects as `ChoosableModels` does. */
export async function runModel(words: string, context: ModelContext): Promise<string> {
  const reference = words === "" ? await chosenModel(context) : words;
  if (reference === undefined) return `The model stays ${fullName(context.model)}.`;
  const model = await context.models.open(reference);
  if (fullName(model) === fullName(context.model)) return `The model is ${fullName(model)} already.`;
  context.use(model);
  const answer = `From the next prompt on, the model is ${fullName(model)}.`;
  return model.notice === undefined ? answer : `${answer}\n${capitalized(model.notice)}`;
}

async function chosenModel({ models, model, choose }: ModelContext): Promise<string | undefined> {
  const listed = await models.list();
  const current = fullName(model);
  // The list begins with the one that is asked, so that Enter changes nothing.
  const rows = [...listed].sort((a, b) => Number(b.reference === current) - Number(a.reference === current));
  const chosen = await choose({
    question: "Which model do you want to ask? Any other can be typed: VENDOR/NAME",
    verb: "chooses",
    choices: rows.map(({ reference, origin, missing }) => ({
      title: reference,
      details: reference === current ? `${origin}, asked now` : origin,
      remark: missing.length === 0 ? "" : `${missing.join(" and ")} not set`,
    })),
  });
  return chosen?.type === "typed" ? chosen.text : chosen && rows[chosen.index]?.reference;
}

const fullName = ({ provider, name }: LanguageModel): string => `${provider}/${name}`;
