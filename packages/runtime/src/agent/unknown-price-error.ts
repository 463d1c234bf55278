import type { LanguageModel } from "@mdx-ai/models";

/** A limit in US dollars that could not be held, since nobody knows what a model costs. */
export class UnknownPriceError extends Error {
  override readonly name = "UnknownPriceError";

  constructor({ provider, name }: LanguageModel) {
    super(
      `the price of ${provider}/${name} is not known, so a limit in usd cannot be held; ` +
        "add the price to ~/.config/mdx-ai/prices.json, or limit tokens instead",
    );
  }
}
