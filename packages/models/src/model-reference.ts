import { onlyClosest } from "@mdx-ai/base";
import { UnknownProviderError } from "./errors.ts";
import type { PriceTable } from "./prices/model-facts.ts";
import type { Access } from "./vendors/access.ts";
import { type Vendor, vendorNamed, vendors } from "./vendors/vendors.ts";

/** A parsed model reference. */
export type ModelReference =
  | { readonly provider: "vendor"; readonly vendor: Vendor; readonly name: string }
  | { readonly provider: "ai-sdk"; readonly package: string; readonly name: string }
  | { readonly provider: "script"; readonly file: string }
  | { readonly provider: "offline" };

/** A model to open: its reference and the connection to its vendor. */
export type ModelTarget =
  | { readonly provider: "vendor"; readonly access: Access; readonly name: string }
  | Exclude<ModelReference, { readonly provider: "vendor" }>;

/** Formats a reference as the user writes it. */
export function referenceText(reference: ModelReference): string {
  switch (reference.provider) {
    case "vendor":
      return `${reference.vendor.name}/${reference.name}`;
    case "ai-sdk":
      return `ai-sdk:${reference.package}#${reference.name}`;
    case "script":
      return `script:${reference.file}`;
    case "offline":
      return "offline";
  }
}

/** References without a vendor. */
const others = ["ai-sdk", "script", "offline"];

/** The model for a name: for a word such as `opus`, the vendor's newest model of that family. */
export const modelNamed = ({ name: vendor }: Vendor, name: string): string =>
  (vendor === "anthropic" ? newestModel("claude-", name.toLowerCase()) : undefined) ?? name;

/**
 * The newest model of a family in the price table, such as `claude-opus-5-5` for `claude-` and `opus`; undefined if the word is not a
 * family. Loads the table with `require`, since few references need it.
 */
function newestModel(prefix: string, family: string): string | undefined {
  if (!/^[a-z]+$/.test(family)) return undefined;
  const { models }: PriceTable = require("./prices/prices.json");
  const form = new RegExp(`/(${prefix}${family}-(\\d{1,3})(?:[-.](\\d{1,3}))?)$`);
  const found = Object.keys(models).flatMap((key) => {
    const [, name, major, minor = "0"] = form.exec(key) ?? [];
    return name === undefined ? [] : [{ name, version: Number(major) * 1_000 + Number(minor) }];
  });
  return found.sort((one, other) => other.version - one.version)[0]?.name;
}

/** The user's default model, for agents that let the user choose. */
export const INHERIT = "inherit";

/** What an agent's author should write for an unknown model; undefined if the model is known. */
export function unknownModelHint(reference: string): string | undefined {
  if (reference.trim() === INHERIT) return undefined;
  try {
    parseModelReference(reference);
    return undefined;
  } catch (error) {
    const suggestion = error instanceof UnknownProviderError ? error.suggestion : undefined;
    const forms = "write its vendor before it, such as `anthropic/claude-sonnet-5-5` or `ollama/llama3`";
    return suggestion === undefined ? forms : `did you mean \`${suggestion}\`?`;
  }
}

/**
 * Parses `vendor/NAME`, a vendor alone (its default model), names with a vendor's prefix (`claude-…`, `gpt-…`), families such as `opus`
 * (the newest model), `ai-sdk:PACKAGE#NAME`, `script:FILE` and `offline`. Throws `UnknownProviderError` for anything else.
 */
export function parseModelReference(reference: string): ModelReference {
  const text = reference.trim();
  if (text === "offline") return { provider: "offline" };
  const { head, separator, rest } = split(text);
  if (head === "script" && separator === ":" && rest) return { provider: "script", file: rest };
  const [, packageName, name] = head === "ai-sdk" && separator === ":" ? (/^([^#]+)#(.+)$/s.exec(rest) ?? []) : [];
  if (packageName && name) return { provider: "ai-sdk", package: packageName, name };
  const vendor = vendorNamed(head);
  if (vendor && separator === "/" && rest) return { provider: "vendor", vendor, name: modelNamed(vendor, rest) };
  if (vendor && separator === "" && vendor.model) return { provider: "vendor", vendor, name: vendor.model };
  const meant = separator === "" ? modelOfWord(text) : undefined;
  if (meant) return meant;
  throw new UnknownProviderError(reference, suggestReference(split(text)));
}

/** The model of a name with a vendor's prefix, or the newest of a family. */
function modelOfWord(word: string): ModelReference | undefined {
  const maker = makerOf(word);
  if (maker) return { provider: "vendor", vendor: maker, name: word };
  const found = vendors.map((vendor) => ({ provider: "vendor" as const, vendor, name: modelNamed(vendor, word) }));
  return found.find(({ name }) => name !== word);
}

/** A split reference: `head`, a colon or slash, and the rest. */
interface Split {
  readonly text: string;
  readonly head: string;
  readonly separator: string;
  readonly rest: string;
}

function split(text: string): Split {
  const [, head = "", separator = "", rest = ""] = /^([^:/]*)([:/]?)(.*)$/s.exec(text) ?? [];
  return { text, head, separator, rest };
}

/** Other names for a vendor, besides its model prefixes. */
const nicknames: ReadonlyMap<string, string> = new Map([
  ["google", "gemini"],
  ["chatgpt", "openai"],
  ["x.ai", "xai"],
]);

/** The tag of an Ollama model, such as `8b` or `latest`. */
const SIZE_TAG = /^(?:latest|\d+(?:\.\d+)?[bm](?:-.*)?)$/i;

/** The likely intended reference, if it is clear. */
function suggestReference({ text, head, separator, rest }: Split): string | undefined {
  const word = head.toLowerCase();
  if (word === "ai-sdk") return "ai-sdk:@ai-sdk/google#NAME";
  if (makerOf(text.toLowerCase()) && rest === "") return text.toLowerCase();
  if (separator === ":" && SIZE_TAG.test(rest) && vendorNamed(word) === undefined) return `ollama/${text}`;
  const vendor = meantVendor(word);
  if (vendor) return `${vendor.name}/${rest || vendor.model || "NAME"}`;
  const other = onlyClosest(word, [...vendors.map(({ name }) => name), ...others]);
  if (other === "script") return `script:${rest || "FILE"}`;
  if (other === "ai-sdk") return "ai-sdk:@ai-sdk/google#NAME";
  // Only Ollama's models have tags.
  return other ?? (/^[\w.-]+:[\w.-]+$/.test(text) ? `ollama/${text}` : undefined);
}

function meantVendor(word: string): Vendor | undefined {
  const known = vendorNamed(nicknames.get(word) ?? word);
  if (known) return known;
  const maker = vendors.find(({ prefixes }) => prefixes.some((start) => word === start.replace(/-$/, "")));
  return maker ?? vendorNamed(onlyClosest(word, [...vendors.map(({ name }) => name), ...others]) ?? "");
}

/** The vendor with this model prefix. */
const makerOf = (name: string): Vendor | undefined =>
  vendors.find(({ prefixes }) => prefixes.some((start) => name.startsWith(start)));
