import type { OptionSpec } from "./command-spec.ts";

/** The options that say which model is asked, and how. */
export const MODEL_OPTIONS: readonly OptionSpec[] = [
  { name: "model", short: "m", value: "VENDOR/NAME", summary: "the model, or a list A,B to fall back through" },
  { name: "config", value: "FILE", summary: "read which model, key and address to use from YAML or JSON" },
  { name: "temp", value: "N", summary: "the temperature, 0 to 2" },
  { name: "max-tokens", value: "N", summary: "the longest answer, in tokens" },
  { name: "thinking", value: "WAY", summary: "adaptive, off or a number of tokens" },
  { name: "effort", value: "WORD", summary: "how much effort to spend on reasoning, such as low" },
  { name: "no-stream", summary: "ask for answers in one piece" },
  { name: "retries", value: "N", summary: "repetitions of a failed model call, or the seconds before each: 5,15,45" },
  {
    name: "timeout",
    value: "SECONDS",
    summary: "silence after which an answer counts as broken; default: 120, in one piece 600",
  },
  { name: "no-offline", summary: "fail if no model is configured" },
];
