import { dirname } from "node:path";
import { ifExists, isRecord, type JsonValue, jsonValue, Semaphore } from "@mdx-ai/base";
import { makePrivateFolder, readWholeFile, refuseLinks, replaceFile, writeContent } from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import type { ModuleState } from "../types/module.ts";
import { pathOutsideJson } from "./module-tools.ts";

/** Values of a module cannot be read or kept. */
class ModuleStateError extends Error {
  override readonly name = "ModuleStateError";
}

/** Characters of all values of a module together. */
const MAX_LENGTH = 1_000_000;

type Values = ReadonlyMap<string, JsonValue>;

/** The values of a module in a file, which other processes may change, too. */
export class ModuleStateFile implements ModuleState {
  readonly #path: string;
  readonly #turns = new Semaphore();
  /** The values of an agent that writes nothing; undefined if the file has them. */
  #own: Values | undefined;

  /** `path` is absolute. If `isEphemeral`, the values of the file are read, and changes last as long as this object. */
  constructor(path: string, isEphemeral: boolean) {
    this.#path = path;
    this.#own = isEphemeral ? this.#read() : undefined;
  }

  async get(key: string): Promise<JsonValue | undefined> {
    return this.#turns.run(async () => this.#values.get(key));
  }

  async keys(): Promise<readonly string[]> {
    return this.#turns.run(async () => [...this.#values.keys()]);
  }

  async set(key: string, value: JsonValue): Promise<void> {
    const wrong = value === undefined ? "value" : pathOutsideJson(value, "value", []);
    if (wrong !== undefined) throw new ModuleStateError(`unexpected value at ${wrong}, expected plain JSON`);
    const copy = structuredClone(value);
    await this.#change((values) => new Map(values).set(key, copy));
  }

  async delete(key: string): Promise<void> {
    await this.#change((values) => new Map([...values].filter(([name]) => name !== key)));
  }

  #change(change: (values: Values) => Values): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#own !== undefined) {
        this.#own = change(this.#own);
        return;
      }
      const folder = dirname(this.#path);
      for (const path of [dirname(folder), folder]) makePrivateFolder(path);
      await withLock(`${this.#path}.lock`, () => this.#write(change(this.#read())));
    });
  }

  get #values(): Values {
    return this.#own ?? this.#read();
  }

  #read(): Values {
    refuseLinks([dirname(this.#path), this.#path]);
    const text = ifExists(() => readWholeFile(this.#path).toString("utf8"));
    if (text === undefined) return new Map();
    const file = jsonValue(text);
    if (isRecord(file) && file["version"] === 1 && isValues(file["values"]))
      return new Map(Object.entries(file["values"]));
    throw new ModuleStateError(`${this.#path} cannot be read: it is not a file of this version`);
  }

  async #write(values: Values): Promise<void> {
    const text = `${JSON.stringify({ version: 1, values: Object.fromEntries(values) }, null, 2)}\n`;
    if (text.length > MAX_LENGTH)
      throw new ModuleStateError(`the values of a module may have ${MAX_LENGTH / 1_000_000} MB together`);
    await replaceFile({ path: this.#path, fill: (draft) => writeContent(draft, text) });
  }
}

const isValues = (value: unknown): value is { readonly [key: string]: JsonValue } => isRecord(value);
