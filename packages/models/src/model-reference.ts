import { onlyClosest } from "@mdx-ai/base";
import { UnknownProviderError } from "./errors.ts";
import type { PriceTable } from "./prices/model-facts.ts";
import type { Access } from "./vendors/access.ts";
import { type Vendor, vendorNamed, vendors } from "./vendors/vendors.ts";

/** Which model is meant, once the reference is understood. */
export type ModelReference =
  | { readonly provider: "vendor"; readonly vendor: Vendor; readonly name: string }
  | { readonly provider: "ai-sdk"; readonly package: string; readonly name: string }
  | { readonly provider: "script"; readonly file: string }
  | { readonly provider: "offline" };

/** A model to open: a reference, with the way to its vendor. */
export type ModelTarget =
  | { readonly provider: "vendor"; readonly access: Access; readonly name: string }
  | Exclude<ModelReference, { readonly provider: "vendor" }>;

/** A reference as the user may write it. */
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

/** Names of models that belong to no vendor. */
const others = ["ai-sdk", "script", "offline"];

/** The model that a name means: for a word such as `opus` the vendor's newest of that name. */
export const modelNamed = ({ name: vendor }: Vendor, name: string): string =>
  (vendor === "anthropic" ? newestModel("claude-", name.toLowerCase()) : undefined) ?? name;

/**
 * The newest model of a family by the table of prices, such as `claude-opus-5-5` of `claude-` and `opus`; undefined for a word
 * that is not a family. The price table is loaded by `require`, since few references need it.
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

/** The user's default model, where the author of an agent may choose one. */
export const INHERIT = "inherit";

/** What the author of an agent should write in place of a model that is not known; undefined if it is. */
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
 * Parses `vendor/NAME`, a vendor alone (its default model), names that show their vendor (`claude-…`, `gpt-…`), `opus` and
 * the like for the newest of that name, `ai-sdk:PACKAGE#NAME`, `script:FILE` and `offline`. Throws `UnknownProviderError` on anything else.
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

/** The model of a name that shows its vendor, or the newest of a family. */
function modelOfWord(word: string): ModelReference | undefined {
  const maker = makerOf(word);
  if (maker) return { provider: "vendor", vendor: maker, name: word };
  const found = vendors.map((vendor) => ({ provider: "vendor" as const, vendor, name: modelNamed(vendor, word) }));
  return found.find(({ name }) => name !== word);
}

/** A reference in its parts: `head`, a colon or a slash, and the rest. */
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

/** Other words for a vendor, besides those with which its models begin. */
const nicknames: ReadonlyMap<string, string> = new Map([
  ["google", "gemini"],
  ["chatgpt", "openai"],
  ["x.ai", "xai"],
]);

/** What a tag of an Ollama model looks like, such as `8b` or `latest`. */
const SIZE_TAG = /^(?:latest|\d+(?:\.\d+)?[bm](?:-.*)?)$/i;

/** The reference that the user may have meant, if that is clear. */
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

/** The vendor whose models begin like that. */
const makerOf = (name: string): Vendor | undefined =>
  vendors.find(({ prefixes }) => prefixes.some((start) => name.startsWith(start)));
