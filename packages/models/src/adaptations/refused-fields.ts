import type { UnknownRecord } from "@mdx-ai/base";
import type { ModelRequest } from "../types/language-model.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";
import { fieldsWithoutInner, hasInner, innerFields, pathsIn, withName, withoutPath } from "./field-paths.ts";

/** Statuses for an unsupported field. */
const statuses: readonly unknown[] = [undefined, 400, 422, 500, 501];

/** Fields of every request. */
const needed: readonly string[] = ["model", "messages", "input", "prompt", "system", "instructions", "tools"];

/** Alternative names of a field: a server may support only one. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["max_tokens", "max_completion_tokens"],
  ["max_completion_tokens", "max_tokens"],
]);

/** Other names of a field in servers' messages. */
const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ["reasoning", ["reasoning_effort", "thinking"]],
  ["reasoning_effort", ["reasoning", "thinking"]],
  ["stream", ["streaming"]],
  ["maxOutputTokens", ["max_tokens", "max_completion_tokens", "max_output_tokens"]],
]);

/** Words for a field that is unknown or unsupported by the model, but not for a value out of range. */
const refusal =
  /un(?:supported|known|recognized|expected)|not (?:supported|permitted|allowed|accepted|available|enabled|recognized)|(?:does|do)(?: not|n't) (?:support|accept|allow|take|have)|extra (?:inputs?|fields?)|no (?:such|longer) |additional propert|deprecated|cannot (?:find field|be (?:used|set|specified|combined))|only (?:the default|[\d.]+ is)|(?:may|can) only be|must be verified|invalid (?:parameter|argument|field|property)|incompatible/i;

/** Words about a tool's schema, in which any name may occur. */
const aboutTools = /schema for function|\btools?(?:\.|\[|: \[)\d/i;

/** Drops optional fields that a server has refused, or renames them. */
export class RefusedFields implements Adaptation {
  /** By path, such as `stream_options`: the replacement name, if there is one. */
  readonly #refused = new Map<string, string | undefined>();
  /** Fields within lists. */
  readonly #inner = new Set<string>();
  readonly #needed: readonly string[];
  #isWhole = false;

  /** `demanded`: fields that this protocol requires, besides the common ones. */
  constructor(demanded: readonly string[]) {
    this.#needed = [...needed, ...demanded];
  }

  learn(refused: RefusedRequest): string | undefined {
    if (!statuses.includes(refused.status) || !refusal.test(refused.said)) return undefined;
    const path = this.#refusedPath(refused);
    if (path !== undefined) return this.#learnPath(path);
    const inner = innerFields.find((name) => mentions(refused.said, [name]) && hasInner(refused.body, name));
    if (inner === undefined) return undefined;
    this.#inner.add(inner);
    return leftOut(inner);
  }

  request(request: ModelRequest): ModelRequest {
    return this.#isWhole ? { ...request, stream: false } : request;
  }

  fields(fields: UnknownRecord): UnknownRecord {
    let adapted = fields;
    for (const [path, other] of this.#refused)
      adapted = other === undefined ? withoutPath(adapted, path) : withName(adapted, path, other);
    for (const name of this.#inner) adapted = fieldsWithoutInner(adapted, name);
    return adapted;
  }

  #learnPath(path: string): string {
    if (path === "stream") {
      this.#isWhole = true;
      return "the server does not stream the answers of this model, which come in one piece from now on";
    }
    const other = otherNames.get(path);
    if (other === undefined || this.#refused.has(other)) {
      this.#refused.set(path, undefined);
      return leftOut(path);
    }
    this.#refused.set(path, other);
    return `the server does not accept ${path}, which is sent as ${other} from now on`;
  }

  /** The path of the refused field: the one that the server names separately, else the first one in its text. */
  #refusedPath({ said: words, field = "", body }: RefusedRequest): string | undefined {
    const said = words.replace(/\bbody\./g, "");
    const [head = ""] = field.split(/[.[]/);
    if (this.#needed.includes(head) && head !== "") return undefined;
    const paths = pathsIn(body).filter(
      (path) => !this.#needed.includes(path) && !(path === "stream" && !body["stream"]),
    );
    const named = paths.findLast((path) => field === path || field.startsWith(`${path}.`));
    if (named !== undefined) return wholePath(named);
    if (aboutTools.test(said)) return undefined;
    const mentioned = paths.map((path) => ({ path, index: mentionOf(path, said) })).filter(({ index }) => index >= 0);
    // If a field and its parent are named, the field is meant.
    mentioned.sort((one, other) => one.index - other.index || other.path.length - one.path.length);
    return mentioned[0] && wholePath(mentioned[0].path);
  }
}

const leftOut = (path: string): string => `the server does not accept ${path}, which is left out from now on`;

/** Without its type and budget, a thinking field has no meaning. */
const wholePath = (path: string): string =>
  /\.(?:type|budget_tokens|enabled|include_usage|google)$/.test(path) ? path.replace(/\..*/, "") : path;

/** The position where a text names a field; -1 if it does not. A common word such as "temperature" counts only near words of refusal. */
function mentionOf(path: string, said: string): number {
  const leaf = path.slice(path.lastIndexOf(".") + 1);
  const telling = [path, leaf, ...(aliases.get(path) ?? [])].filter((name) => /[._]|[a-z][A-Z]/.test(name));
  const index = said.search(namePattern(telling.flatMap((name) => [name, name.replaceAll("_", " ")])));
  if (index >= 0) return index;
  if (PLAIN_WORDS.includes(leaf)) return -1;
  const plain = said.search(namePattern([leaf, ...(aliases.get(path) ?? [])]));
  return plain >= 0 && refusal.test(said.slice(Math.max(0, plain - NEAR), plain + NEAR)) ? plain : -1;
}

/** Names of inner fields that are also common words. */
const PLAIN_WORDS: readonly string[] = ["type", "enabled", "google"];

/** Characters around a word that are searched for words of refusal. */
const NEAR = 80;

const mentions = (said: string, names: readonly string[]): boolean =>
  said.search(new RegExp(`\\b(?:${names.join("|")})\\b`)) >= 0;

/** Matches names that are not part of other names or paths. */
const namePattern = (names: readonly string[]): RegExp =>
  names.length === 0 ? /$^/ : new RegExp(`(?<![\\w.])(?:${names.map(escaped).join("|")})(?!\\w)`, "i");

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
