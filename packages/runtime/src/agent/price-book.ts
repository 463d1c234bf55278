import type { AssistantMessage, Environment } from "@mdx-ai/models";
import type { ModelFacts } from "@mdx-ai/models/prices";

/** What is known of models, each looked up once. */
export interface PriceBook {
  factsOf(provider: string, name: string): ModelFacts;
  /** US dollars of an answer, by `facts` or by what is known of its model; undefined if the price is not known. */
  costOf(answer: AssistantMessage, facts?: ModelFacts): number | undefined;
}

/** Loads the prices of the house and the user's. Never rejects; what is wrong in the user's is a warning. */
export async function openPriceBook(
  environment: Environment,
  onWarning: (message: string) => void,
): Promise<PriceBook> {
  const { costOf, modelFacts, readPrices } = await import("@mdx-ai/models/prices");
  const tables = await readPrices(environment, onWarning);
  const known = new Map<string, ModelFacts>();
  const factsOf = (provider: string, name: string): ModelFacts => {
    const key = `${provider}/${name}`;
    const facts = known.get(key) ?? modelFacts(provider, name, tables);
    known.set(key, facts);
    return facts;
  };
  return { factsOf, costOf: ({ provider, model, usage }, facts) => costOf(usage, facts ?? factsOf(provider, model)) };
}
