import type { Environment } from "@mdx-ai/models";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import { variable } from "./variables.ts";

/** The sampler of `OTEL_TRACES_SAMPLER`; what is not known there counts as its default, `parentbased_always_on`. */
export function samplerOf(environment: Environment): Sampler {
  switch (variable(environment, "OTEL_TRACES_SAMPLER")?.toLowerCase()) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratioOf(environment));
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratioOf(environment)) });
    default:
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
}

/** The part of traces, from 0 to 1; 1 where the variable holds something else. */
function ratioOf(environment: Environment): number {
  const ratio = Number(variable(environment, "OTEL_TRACES_SAMPLER_ARG") ?? 1);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}
