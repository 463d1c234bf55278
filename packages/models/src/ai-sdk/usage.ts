import { isRecord, recordOf, type UnknownRecord } from "../record.ts";
import type { Usage } from "../types/message.ts";

/** The counts of an answer, in the shape of either version of the interface; what is not told is left out. */
export function usageOf(value: unknown): Partial<Usage> {
  const usage = recordOf(value);
  const counts = isRecord(usage["inputTokens"]) || isRecord(usage["outputTokens"]) ? nested(usage) : flat(usage);
  return {
    ...told("input", counts.input),
    ...told("output", counts.output),
    ...told("cacheRead", counts.cacheRead),
    ...told("cacheWrite", counts.cacheWrite),
    ...told("thinking", counts.thinking),
  };
}

type Counts = { readonly [Name in keyof Usage]?: number | undefined };

/** Since version 3. */
function nested({ inputTokens, outputTokens }: UnknownRecord): Counts {
  const input = recordOf(inputTokens);
  const output = recordOf(outputTokens);
  const cacheRead = count(input["cacheRead"]);
  const cacheWrite = count(input["cacheWrite"]);
  const total = count(input["total"]);
  const fresh = total === undefined ? undefined : total - (cacheRead ?? 0) - (cacheWrite ?? 0);
  return {
    input: count(input["noCache"]) ?? count(fresh),
    output: count(output["total"]),
    cacheRead,
    cacheWrite,
    thinking: count(output["reasoning"]),
  };
}

/** Version 2 does not say whether the input has the cached part in it; most providers mean so, and it cannot where it is less. */
function flat(usage: UnknownRecord): Counts {
  const input = count(usage["inputTokens"]);
  const cacheRead = count(usage["cachedInputTokens"]);
  return {
    input: input === undefined ? undefined : (count(input - (cacheRead ?? 0)) ?? input),
    output: count(usage["outputTokens"]),
    cacheRead,
    thinking: count(usage["reasoningTokens"]),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function told(name: keyof Usage, value: number | undefined): Partial<Usage> {
  return value === undefined ? {} : { [name]: value };
}
