/** No model is configured, and the configuration does not let the offline model stand in. */
export class NoModelError extends Error {
  override readonly name = "NoModelError";

  constructor() {
    super(
      "no model is configured. Set the key of a vendor (such as export ANTHROPIC_API_KEY=…), or LLM_VENDOR and LLM_MODEL, " +
        "or give --model VENDOR/NAME or --config FILE; mdx-ai models shows what there is",
    );
  }
}
