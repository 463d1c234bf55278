import { didYouMean } from "@mdx-ai/base";
import type { ChoosableModels, ReasoningSettings } from "@mdx-ai/directory";
import { capitalized, plainLine } from "@mdx-ai/directory/text";
import type { LanguageModel } from "@mdx-ai/models";
import type { Choose } from "./list-questions.ts";

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
