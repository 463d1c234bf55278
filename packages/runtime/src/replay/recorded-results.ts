import type { JsonObject } from "@mdx-ai/models";
import { isUnrun } from "../loop/unrun-call.ts";
import type { ToolResult } from "../types/tool.ts";
import type { ToolOutcome, ToolRegistry } from "../types/tool-registry.ts";
import { recordedCalls } from "./recorded-calls.ts";
import type { RecordedPrompt } from "./recording.ts";

/** The results of a call in the order in which it was made, and how many of them were handed out. */
interface Results {
  readonly outcomes: readonly ToolOutcome[];
  taken: number;
}

/** What is asked of the tools of an agent. */
type KnownTools = Pick<ToolRegistry, "argumentsOf" | "nameOf">;

/** What the calls of recorded prompts gave, to be given again to calls that are the same. */
export class RecordedResults {
  readonly #byPrompt: ReadonlyMap<number, ReadonlyMap<string, Results>>;

  /** Calls are the same where the tools see the same arguments. */
  constructor(prompts: readonly RecordedPrompt[], tools: KnownTools) {
    this.#byPrompt = new Map(prompts.map((prompt) => [prompt.number, resultsOf(prompt, tools)]));
  }

  /**
   * What a call gave in a prompt: of several times the next one, and the last one again when there is no other; else what
   * it gave in another prompt. Undefined where it was never made.
   */
  take(prompt: number, name: string, args: JsonObject): ToolResult | undefined {
    const key = keyOf(name, args);
    const own = this.#byPrompt.get(prompt)?.get(key);
    const others = [...this.#byPrompt.values()].flatMap((results) => results.get(key) ?? []);
    const results = own ?? others[0];
    if (results === undefined) return undefined;
    const place = Math.min(results.taken++, results.outcomes.length - 1);
    return results.outcomes[place];
  }
}

function resultsOf({ lines }: RecordedPrompt, tools: KnownTools): ReadonlyMap<string, Results> {
  const results = new Map<string, Results & { readonly outcomes: ToolOutcome[] }>();
  for (const { call, result } of recordedCalls(lines)) {
    if (result === undefined || isUnrun(result)) continue;
    const key = keyOf(tools.nameOf(call.name), tools.argumentsOf(call));
    const known = results.get(key) ?? { outcomes: [], taken: 0 };
    const { content, isError, details } = result;
    known.outcomes.push({ content, isError, ...(details !== undefined && { details }) });
    results.set(key, known);
  }
  return results;
}

/** The same for arguments that differ in the order of their keys alone. */
const keyOf = (name: string, args: JsonObject): string => JSON.stringify([name, sorted(args)]);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  // A list of pairs: as keys of an object, numbers would change places.
  return { entries: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
