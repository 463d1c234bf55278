import { defined } from "@mdx-ai/base";
import type { AgentSettings, PromptLimits } from "@mdx-ai/parser";
import { DEFAULT_SLOTS, DEFAULT_TURNS } from "@mdx-ai/runtime";
import type { Entry } from "./manifest.ts";

/** The settings that decide what an agent costs: its models and its limits. */
export const costEntries = ({ model, memory, limits = {} }: AgentSettings): readonly Entry[] => [
  ...modelEntries(model),
  ...modelEntries(typeof memory === "object" ? memory.model : undefined, "of the memory"),
  ...limitEntries(limits),
];

const modelEntries = (model: AgentSettings["model"], item?: string): readonly Entry[] =>
  model === undefined
    ? []
    : [{ kind: "model", ...defined({ item }), effect: "chooses", value: [model].flat().join(", ") }];

/** One for each number, such as `usd` and `day usd`. */
const limitEntries = (limits: PromptLimits): readonly Entry[] =>
  Object.entries(limits).flatMap(([name, limit]) => {
    if (typeof limit === "number") return limitEntry(name, limit);
    if (typeof limit === "string") return [];
    return [...limitEntry(`${name} tokens`, limit.tokens), ...limitEntry(`${name} usd`, limit.usd)];
  });

/** The limits that apply where none is set. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ["turns", String(DEFAULT_TURNS)],
  ["sessions", String(DEFAULT_SLOTS)],
]);

const limitEntry = (item: string, value: number | undefined): readonly Entry[] =>
  value === undefined
    ? []
    : [{ kind: "limit", item, effect: "limits", value, ...defined({ otherwise: USUAL.get(item) }) }];
