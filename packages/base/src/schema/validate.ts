import { defined, isRecord, type UnknownRecord } from "../json/json.ts";
import { type Located, type Path, type TextEdit, type TextRange, unlocated } from "../located/located.ts";
import { quoted, shownValue } from "../text/quoted.ts";
import { closest, onlyClosest } from "../text/suggestion.ts";
import { fitsItself, memberSchema } from "./keywords.ts";
import type { Finding, Schema } from "./schema.ts";
import { type SuggestedValue, suggestedValue } from "./suggested-value.ts";

/** A mistake in a value. */
export interface Problem {
  /** An unknown key, a missing key, a value that does not match, a key without effect, or the result of a check. */
  readonly kind: "unknown" | "missing" | "mismatch" | "unsupported" | "finding";
  /** The path from the whole value to the mistake. */
  readonly path: Path;
  /** Whether the key or the value is wrong. */
  readonly of: "key" | "value";
  readonly range: TextRange;
  readonly value: unknown;
  /** What the value should match; undefined if it is not allowed. */
  readonly schema: Schema | undefined;
  /** The message of a check. */
  readonly rule?: string;
  readonly message: string;
  /** The fix, or otherwise the purpose of the value. */
  readonly hint: string;
  /** The hint, if it is a fix. */
  readonly suggestion?: string;
  /** The only change that fixes the mistake, if it is clear. */
  readonly fix?: TextEdit;
}

/** The result of a check. */
export interface Validated<T> {
  /** The value without mistakes and without keys that have no effect; undefined if nothing remains. */
  readonly value: T | undefined;
  /** In the order of the value. */
  readonly problems: readonly Problem[];
}

/** A mistake in one line, with the fix if it is clear. */
export const problemText = ({ message, suggestion }: Problem): string =>
  suggestion === undefined ? message : `${message}; ${suggestion}`;

/** How messages name a value. */
export interface Wording {
  /** The noun for its keys. Default: "setting". */
  readonly noun?: string;
  /** The name of the whole value, such as `mcp.files`. Default: none. */
  readonly name?: string;
  /** Whether names include the index in a list, for values without positions. */
  readonly hasIndexes?: boolean;
}

/** Checks a value against a schema in one walk. Never throws. */
export function validate<T>(schema: Schema<T>, located: Located, wording: Wording = {}): Validated<T> {
  const walk = new Walk(schema, located, wording);
  const name = wording.name === undefined ? [] : [wording.name];
  const { value, isRefused } = walk.part({ value: located.value, schema, path: [], name, description: "" });
  return { value: !isRefused && isOf(schema, value) ? value : undefined, problems: walk.problems };
}

/** The only function that gives a checked value the type of its schema. */
const isOf = <T>(_schema: Schema<T>, value: unknown): value is T => value !== undefined;

interface Part {
  readonly value: unknown;
  readonly schema: Schema;
  readonly path: Path;
  /** The path as an author writes it: without list indexes. */
  readonly name: Path;
  /** From the nearest schema that has one. */
  readonly description: string;
}

interface Outcome {
  /** The value without its invalid parts. */
  readonly value: unknown;
  readonly isRefused: boolean;
}

type Said = Pick<Problem, "of" | "rule" | "message" | "hint" | "suggestion">;

class Walk {
  readonly problems: Problem[] = [];
  readonly #root: Schema;
  readonly #located: Located;
  readonly #noun: string;
  readonly #hasIndexes: boolean;
  readonly #isTrial: boolean;

  /** A trial only shows whether there are mistakes. */
  constructor(root: Schema, located: Located, { noun = "setting", hasIndexes = false }: Wording, isTrial = false) {
    this.#root = root;
    this.#located = located;
    this.#noun = noun;
    this.#hasIndexes = hasIndexes;
    this.#isTrial = isTrial;
  }

  part(given: Part): Outcome {
    const schema = given.schema.$ref === "#" ? this.#root : given.schema;
    const part = { ...given, schema, description: schema.description ?? given.description };
    const before = this.problems.length;
    const fits = fitsItself(part.value, schema);
    if (!fits) this.#mismatch(part);
    const inner = this.#inner(part);
    const isClean = this.problems.length === before;
    const found = isClean ? (schema.check?.(part.value, part.name.join(".")) ?? []) : [];
    for (const one of found) this.#finding(one, part);
    const isSpoilt = schema.isWhole === true && this.problems.length > before;
    return { value: inner.value, isRefused: !fits || inner.isRefused || found.length > 0 || isSpoilt };
  }

  #inner(part: Part): Outcome {
    if (Array.isArray(part.value)) return this.#items(part, part.value);
    return isRecord(part.value) ? this.#members(part, part.value) : { value: part.value, isRefused: false };
  }

  #items(part: Part, items: readonly unknown[]): Outcome {
    const { items: schema } = part.schema;
    if (schema === undefined) return { value: items, isRefused: false };
    const name = (index: number): Path =>
      this.#hasIndexes ? [...part.name.slice(0, -1), `${part.name.at(-1) ?? ""}[${index}]`] : part.name;
    const outcomes = items.map((value, index) =>
      this.part({ ...part, value, schema, path: [...part.path, String(index)], name: name(index) }),
    );
    const kept = part.schema.isLenient === true ? outcomes.filter(({ isRefused }) => !isRefused) : outcomes;
    return { value: kept.map(({ value }) => value), isRefused: kept.some(({ isRefused }) => isRefused) };
  }

  #members(part: Part, map: UnknownRecord): Outcome {
    const kept: [string, unknown][] = [];
    let isRefused = this.#lacks(part, map);
    for (const [key, value] of Object.entries(map)) {
      const outcome = this.#member(part, key, value);
      if (outcome.isRefused && part.schema.type !== "object") isRefused = true;
      const isNothing =
        outcome.value === undefined || (isEmptyMap(outcome.value) && saysNothingEmpty(part.schema, key));
      if (!outcome.isRefused && !isNothing) kept.push([key, outcome.value]);
    }
    return { value: Object.fromEntries(kept), isRefused };
  }

  /** The valid rest of a member; undefined for an unknown one and one without effect. */
  #member(around: Part, key: string, value: unknown): Outcome {
    const schema = memberSchema(around.schema, key);
    const part = { ...around, value, path: [...around.path, key], name: [...around.name, key] };
    const before = this.problems.length;
    if (schema === undefined) return { value, isRefused: false };
    if (schema === false) this.#unknown(part, around);
    if (schema === false) return { value: undefined, isRefused: false };
    const wrongKey = around.schema.checkKey?.(key, value);
    if (wrongKey !== undefined) this.#finding({ of: "key", ...wrongKey }, { ...part, schema });
    const outcome = this.part({ ...part, schema });
    if (schema["x-supported"] !== false) return { ...outcome, isRefused: outcome.isRefused || wrongKey !== undefined };
    if (this.problems.length === before) this.#unsupported({ ...part, schema });
    return { value: undefined, isRefused: outcome.isRefused };
  }

  #lacks(part: Part, map: UnknownRecord): boolean {
    const missing = part.schema.required?.find((name) => !Object.hasOwn(map, name));
    if (missing === undefined) return false;
    if (part.schema.type !== "object") this.#mismatch(part);
    else {
      const message = `no ${quoted([...part.name, missing].join("."))}, expected one`;
      this.#add("missing", part, { of: "value", message, hint: `add ${quoted(missing)}` });
    }
    return true;
  }

  #add(kind: Problem["kind"], { path, value, schema }: Part, found: Said, fix?: TextEdit): void {
    const range = this.#located.range(path, found.of);
    this.problems.push({
      kind,
      path,
      range,
      value,
      schema: kind === "unknown" ? undefined : schema,
      ...found,
      ...defined({ fix }),
    });
  }

  #finding({ path = [], of = "value", ...found }: Finding, part: Part): void {
    const said = found.hint === "" ? found : { ...found, suggestion: found.hint };
    this.#add("finding", { ...part, path: [...part.path, ...path] }, { ...said, of });
  }

  #unsupported(part: Part): void {
    const message = `the ${this.#noun} ${quoted(part.name.join("."))} is not supported in this version`;
    this.#add("unsupported", part, { of: "key", message, hint: "remove it: it has no effect" });
  }

  #unknown(part: Part, around: Part): void {
    const key = part.path.at(-1) ?? "";
    const known = Object.keys(around.schema.properties ?? {});
    const message = `unexpected ${this.#noun} ${quoted(part.name.join("."))}, expected ${known.length === 0 ? "none" : `one of ${known.join(", ")}`}`;
    const near = closest(key, known);
    const suggestion = near && `did you mean \`${near}\`?`;
    const hint = suggestion ?? "remove it: it has no effect";
    this.#add(
      "unknown",
      part,
      { of: "key", message, hint, ...defined({ suggestion }) },
      this.#renamed(key, part, around),
    );
  }

  /** The correct spelling of a key, if no other key has or resembles it, it accepts the value, and it has an effect. */
  #renamed(key: string, { path, value }: Part, around: Part): TextEdit | undefined {
    const { properties = {} } = around.schema;
    const meant = onlyClosest(key, Object.keys(properties));
    const schema = meant === undefined ? undefined : properties[meant];
    if (meant === undefined || schema === undefined || schema["x-supported"] === false) return undefined;
    if (isMeantTwice(key, meant, around.value)) return undefined;
    const { start, end } = this.#located.range(path, "key");
    return start < end && this.#accepts(schema, value) ? { start, end, text: meant } : undefined;
  }

  #accepts(schema: Schema, value: unknown): boolean {
    const trial = new Walk(this.#root, unlocated(value), {}, true);
    trial.part({ value, schema, path: [], name: [], description: "" });
    return trial.problems.length === 0;
  }

  #mismatch(part: Part): void {
    const { value, schema, path, name } = part;
    if (this.problems.at(-1)?.path === path) return;
    const range = this.#located.range(path, "value");
    const meant = schema.fixFor === undefined ? this.#suggested(part, range) : undefined;
    const text = meant?.text ?? schema.fixFor?.(value);
    const seen = schema.isSecret === true && typeof value !== "object" ? "value" : shownValue(value);
    const as = name.length === 0 ? "" : ` as ${quoted(name.join("."))}`;
    const message = `unexpected ${seen}${as}, expected ${schema.title}`;
    const suggestion = meant?.hint ?? schema.hintFor?.(value);
    const said = {
      ...({ of: "value", message, hint: suggestion ?? part.description } as const),
      ...defined({ rule: schema.rule, suggestion }),
    };
    this.#add("mismatch", part, said, text === undefined ? undefined : this.#edit(path, range, text));
  }

  #edit(path: Path, range: TextRange, text: string): TextEdit | undefined {
    return this.#located.edit === undefined ? { ...range, text } : this.#located.edit(path, text);
  }

  #suggested({ value, schema }: Part, range: TextRange): SuggestedValue | undefined {
    if (this.#isTrial || schema["x-supported"] === false || schema.isSecret === true) return undefined;
    const written = this.#located.written(range) || (typeof value === "string" ? value : "");
    return suggestedValue({ value, written, schema }, (other) => this.#accepts(schema, other));
  }
}

/** Whether an empty map of a member is the same as no member: a map of settings is, and data is not. */
function saysNothingEmpty(around: Schema, key: string): boolean {
  if (around.required?.includes(key) === true) return false;
  const { properties, additionalProperties } = memberSchema(around, key) || {};
  return properties !== undefined || additionalProperties !== undefined;
}

const isEmptyMap = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;

/** Whether another key of the map is, or resembles, the suggested key. */
const isMeantTwice = (key: string, meant: string, map: unknown): boolean =>
  isRecord(map) && Object.keys(map).some((other) => other !== key && closest(other, [meant]) !== undefined);
