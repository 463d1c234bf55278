/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value and its source, such as "flag --model", "config my.yaml" or "detected by OPENAI_API_KEY". */
export interface Sourced<Value> {
  readonly value: Value;
  readonly origin: string;
}
