import { closestName } from "./closest-name.ts";
import { UnknownProviderError } from "./errors/unknown-provider-error.ts";

/** Which model is meant, once the reference is understood. */
export type ModelReference =
  | { readonly provider: "anthropic"; readonly name: string }
  | { readonly provider: "script"; readonly file: string }
  | { readonly provider: "offline" };

/** The model of Anthropic that is used where only a key is given: an alias of the balanced family. */
const defaultAnthropicModel = "claude-sonnet-5-5";

const providers = ["anthropic", "script", "offline"];

/**
 * Understands `anthropic/NAME`, a bare `claude-…`, `anthropic` (its default model), `script:FILE` and `offline`.
 * Throws `UnknownProviderError` on anything else.
 */
export function parseModelReference(reference: string): ModelReference {
  const text = reference.trim();
  if (text === "offline") return { provider: "offline" };
  if (text === "anthropic") return { provider: "anthropic", name: defaultAnthropicModel };
  if (text.startsWith("claude-")) return { provider: "anthropic", name: text };
  const [, provider, separator, rest] = /^([^:/]*)([:/]?)(.*)$/s.exec(text) ?? [];
  if (provider === "anthropic" && separator === "/" && rest) return { provider, name: rest };
  if (provider === "script" && separator === ":" && rest) return { provider, file: rest };
  throw new UnknownProviderError(reference, suggestReference(provider ?? "", rest ?? ""));
}

/** What the user may have meant, where that is clear. */
function suggestReference(provider: string, rest: string): string | undefined {
  if (provider.toLowerCase().startsWith("claude")) return `anthropic/${defaultAnthropicModel}`;
  const meant = closestName(provider.toLowerCase(), providers);
  if (meant === "anthropic") return `anthropic/${rest || defaultAnthropicModel}`;
  if (meant === "script") return `script:${rest || "FILE"}`;
  return meant;
}
