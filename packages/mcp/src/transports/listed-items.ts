import { isJsonObject, isRecord, isText, shortened, visibleText } from "@mdx-ai/base";
import type { Warn } from "../mcp-connection.ts";
import { texts } from "./content-parts.ts";
import { headerFault } from "./header-fault.ts";
import { isModest } from "./modest-value.ts";
import { type Parts, withoutNulls } from "./without-nulls.ts";

export interface ListedItemsOptions {
  /** Whether tool parameters may become headers, as over HTTP from revision 2026-07-28 on. */
  readonly usesHeaders: () => boolean;
  readonly onWarning: Warn;
}

/** Keeps a tool's output schema here, hidden from the client: a mismatch must not make a call fail. */
export const OUTPUT_SCHEMA = "mdx-ai/outputSchema";

/** Items of one answer. */
const MAX_ITEMS = 1_000;

export type ItemKind = "tool" | "resource" | "prompt";

/** Reads a server's lists item by item. An unusable item is dropped with one warning and does not affect the others. */
export class ListedItems {
  readonly #options: ListedItemsOptions;
  readonly #warned = new Set<string>();

  constructor(options: ListedItemsOptions) {
    this.#options = options;
  }

  /** The items in the form of the protocol. */
  read(kind: ItemKind, listed: unknown): readonly Parts[] {
    const items = listOf(listed);
    if (items.length > MAX_ITEMS) {
      const [count, most] = [items.length, MAX_ITEMS].map((each) => each.toLocaleString("en"));
      this.#warn(kind, "\n", `lists ${count} ${kind}s at once; the first ${most} are used`);
    }
    const read = items.slice(0, MAX_ITEMS).map((item) => this.#item(kind, item));
    return read.filter((item) => item !== undefined);
  }

  #item(kind: ItemKind, item: unknown): Parts | undefined {
    const key = kind === "resource" ? "uri" : "name";
    const name = isRecord(item) ? item[key] : undefined;
    if (!isRecord(item) || !isText(name) || name === "") {
      const what = key === "uri" ? "an address" : "a name";
      return this.#leaveOut(kind, "", `lists a ${kind} without ${what}, which is left out`);
    }
    const shown = visibleText(shortened(name, 100));
    if (!isModest(item)) {
      const fault = "which is too large or too deep, so it is left out";
      return this.#leaveOut(kind, "\t", `lists the ${kind} ${shown}, ${fault}`);
    }
    const present = withoutNulls(item);
    if (kind === "resource") return resource(name, present);
    return kind === "prompt" ? prompt(name, present) : this.#tool(name, shown, present);
  }

  #tool(name: string, shown: string, item: Parts): Parts | undefined {
    const { inputSchema, outputSchema, description, annotations } = item;
    const fault = this.#options.usesHeaders() ? headerFault(inputSchema) : undefined;
    if (fault !== undefined) {
      const text = `lists the tool ${shown} with a header that is not allowed, so it is left out: ${fault}`;
      return this.#leaveOut("tool", name, text);
    }
    const schema = objectSchema(inputSchema);
    if (!schema.isFit) this.#warn("tool", name, `lists the tool ${shown} with a schema that is not one of an object`);
    return {
      name,
      ...texts({ description }),
      ...(isRecord(annotations) && { annotations: fittingAnnotations(annotations) }),
      inputSchema: schema.value,
      ...(isJsonObject(outputSchema) && { _meta: { [OUTPUT_SCHEMA]: outputSchema } }),
    };
  }

  #leaveOut(kind: ItemKind, name: string, message: string): undefined {
    this.#warn(kind, name, message);
  }

  #warn(kind: ItemKind, name: string, message: string): void {
    const key = `${kind} ${name}`;
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.#options.onWarning(message, true);
  }
}

/** Turns a single item or nothing into a list, as some servers send it. */
const listOf = (listed: unknown): readonly unknown[] => {
  if (Array.isArray(listed)) return listed;
  return isRecord(listed) ? [listed] : [];
};

/** The object schema closest to what the server sent. Some languages write an empty object as an empty list. */
function objectSchema(schema: unknown): { readonly value: Parts; readonly isFit: boolean } {
  const parts = isRecord(schema) ? schema : {};
  const { properties, required, ...others } = parts;
  const isFit = parts["type"] === "object" && isOptional(properties, isRecord) && isOptional(required, isTexts);
  if (isFit) return { value: parts, isFit };
  const names = Array.isArray(required) ? required.filter(isText) : [];
  const value = {
    ...others,
    type: "object",
    ...(isRecord(properties) && { properties }),
    ...(names.length > 0 && { required: names }),
  };
  // Nothing to warn about if there are no parameters.
  return { value, isFit: isEmpty(schema) || (parts["type"] === "object" && isEmpty(properties)) };
}

const isOptional = (value: unknown, accepts: (value: unknown) => boolean): boolean =>
  value === undefined || accepts(value);

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The hints that are used, where their values are valid. */
const fittingAnnotations = ({ readOnlyHint, idempotentHint, title }: Parts): Parts => ({
  ...(typeof readOnlyHint === "boolean" && { readOnlyHint }),
  ...(typeof idempotentHint === "boolean" && { idempotentHint }),
  ...texts({ title }),
});

const resource = (uri: string, { name, title, description, mimeType }: Parts): Parts => {
  const { name: given = title } = texts({ name });
  return { uri, ...texts({ description, mimeType }), name: typeof given === "string" ? given : uri };
};

const prompt = (name: string, { description, arguments: listed }: Parts): Parts => ({
  name,
  ...texts({ description }),
  arguments: listOf(listed).flatMap((each) => (isRecord(each) && isText(each["name"]) ? [promptArgument(each)] : [])),
});

const promptArgument = ({ name, description, required }: Parts): Parts => ({
  ...texts({ name, description }),
  required: isTrue(required),
});

/** Whether a value is true, also as a string. */
export const isTrue = (value: unknown): boolean =>
  value === true || value === 1 || (isText(value) && value.toLowerCase() === "true");
