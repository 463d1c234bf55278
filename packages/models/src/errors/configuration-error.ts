/** A configuration that says something that cannot be meant. The message tells where, what was expected, and no secret. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  /** Such as `LLM_PROVIDER_CONFIG`, `environment LLM_VENDOR` or `config.yaml:3:14`. */
  readonly place: string;

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place}: ${problem}`, options);
    this.place = place;
  }
}
