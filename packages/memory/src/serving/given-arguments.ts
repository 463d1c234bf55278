import { isRecord } from "@mdx-ai/parser/record";
import { textTags } from "../memory-store.ts";

/** The arguments of a call, which the schema of its tool has accepted. */
export class GivenArguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: unknown) {
    this.#values = isRecord(values) ? values : {};
  }

  /** Empty if it is absent. */
  text(name: string): string {
    return this.optionalText(name) ?? "";
  }

  /** The ids of a memory and its vault. */
  memory(): readonly [vaultId: string, memoryId: string] {
    return [this.text("vault_id"), this.text("memory_id")];
  }

  /** Undefined if it is absent or empty. */
  optionalText(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  }

  /** Undefined if it is absent. */
  optionalNumber(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === "number" ? value : undefined;
  }

  /** Texts by their names; other values are their JSON. */
  tags(name: string): Readonly<Record<string, string>> {
    return textTags(this.#values[name]);
  }
}
