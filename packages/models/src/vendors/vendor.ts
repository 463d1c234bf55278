/** A company or a program that serves models, and how it is reached. */
export interface Vendor {
  /** As in `name/MODEL`. */
  readonly name: string;
  /** Whose wire it speaks. */
  readonly protocol: "anthropic" | "openai" | "azure";
  /** Variables that may hold the key, the first that is set counts; none for a server that asks for no key. */
  readonly keyVariables: readonly string[];
  /** The variable that may hold another address. */
  readonly urlVariable: string;
  /** Empty where every user has an address of their own. */
  readonly url: string;
  /** The model where only the vendor is named; empty where there is none that everybody has. */
  readonly model: string;
  /** How names of models begin that mean this vendor without saying so. */
  readonly prefixes: readonly string[];
}
