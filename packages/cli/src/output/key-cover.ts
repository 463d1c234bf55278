import type { Environment } from "@mdx-ai/models";
import { createRedactor, type Redactor } from "@mdx-ai/runtime/redactor";

/** Redacts the user's keys in what the program writes; further keys are added while the program starts. */
export class KeyCover implements Redactor {
  readonly #environment: Environment;
  readonly #secrets: string[] = [];
  #redactor: Redactor | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Adds keys, and reads the variables again. */
  learn(secrets: readonly string[] = []): void {
    this.#secrets.push(...secrets);
    this.#redactor = undefined;
  }

  text(value: string): string {
    return this.#current().text(value);
  }

  json(value: unknown): string {
    return this.#current().json(value);
  }

  value<Value>(value: Value): Value {
    return this.#current().value(value);
  }

  holdsSecret(content: Buffer): boolean {
    return this.#current().holdsSecret(content);
  }

  #current(): Redactor {
    this.#redactor ??= createRedactor({ environment: this.#environment, secrets: this.#secrets });
    return this.#redactor;
  }
}
