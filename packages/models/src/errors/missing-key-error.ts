/** The environment holds no usable key for a provider. The message says what to do and never holds the key. */
export class MissingKeyError extends Error {
  override readonly name = "MissingKeyError";
  /** The environment variable that should hold the key. */
  readonly variable: string;

  constructor(variable: string, problem = "is not set") {
    super(`${variable} ${problem}. Set it to your key (export ${variable}=…), or try the agent with --model offline.`);
    this.variable = variable;
  }
}
