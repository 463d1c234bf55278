import { isRecord } from "@mdx-ai/parser/record";

/** The arguments of a call, which the schema of its tool has accepted. */
export class GivenArguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: unknown) {
    this.#values = isRecord(values) ? values : {};
  }

  /** Empty if it is absent. */
  text(name: string): string {
    const value = this.#values[name];
    return typeof value === "string" ? value : "";
  }

  /** An object with the text under a key, or none if it is absent. */
  some<Key extends string>(key: Key, name: string): Partial<Record<Key, string>> {
    const value = this.#values[name];
    return typeof value === "string" && value !== "" ? partial(key, value) : {};
  }

  /** The same for a number. */
  someNumber<Key extends string>(key: Key, name: string): Partial<Record<Key, number>> {
    const value = this.#values[name];
    return typeof value === "number" ? partial(key, value) : {};
  }

  /** Texts by their names; other values are their JSON. */
  tags(name: string): Readonly<Record<string, string>> {
    const value = this.#values[name];
    if (!isRecord(value)) return {};
    return Object.fromEntries(
      Object.entries(value).map(([key, tag]) => [key, typeof tag === "string" ? tag : JSON.stringify(tag)]),
    );
  }
}

function partial<Key extends string, Value>(key: Key, value: Value): Partial<Record<Key, Value>> {
  const made: Partial<Record<Key, Value>> = {};
  made[key] = value;
  return made;
}
