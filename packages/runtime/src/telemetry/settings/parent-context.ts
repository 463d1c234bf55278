import type { Environment } from "@mdx-ai/models";
import { type Context, ROOT_CONTEXT } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { variable } from "./variables.ts";

/** The span that the process was started in, as `TRACEPARENT` and `TRACESTATE` tell it; the root where they do not. */
export function parentContext(environment: Environment): Context {
  const carrier = new Map([
    ["traceparent", variable(environment, "TRACEPARENT")],
    ["tracestate", variable(environment, "TRACESTATE")],
  ]);
  return new W3CTraceContextPropagator().extract(ROOT_CONTEXT, carrier, {
    get: (_carrier, name) => carrier.get(name),
    keys: () => [...carrier.keys()],
  });
}
