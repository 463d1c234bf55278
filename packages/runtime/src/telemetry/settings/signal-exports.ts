import type { Environment } from "@mdx-ai/models";
import { type OtlpEndpoint, otlpEndpoint, type Signal } from "./otlp-endpoint.ts";
import { variable } from "./variables.ts";

/** A way that a signal takes. */
export type SignalExport =
  | { readonly to: "otlp"; readonly endpoint: OtlpEndpoint }
  /** To the user, as lines of OTLP's JSON. */
  | { readonly to: "console" };

export interface SignalExports {
  readonly exports: readonly SignalExport[];
  /** What is wrong with the variables, each as a part of one line. */
  readonly problems: readonly string[];
}

/** The ways of a signal: those that `OTEL_<SIGNAL>_EXPORTER` names, or OTLP where an endpoint for it is set. */
export function signalExports(environment: Environment, signal: Signal): SignalExports {
  const exports: SignalExport[] = [];
  const problems: string[] = [];
  for (const name of exporterNames(environment, signal)) {
    const found = exportNamed(name, environment, signal);
    if (found !== undefined && "problem" in found) problems.push(found.problem);
    else if (found !== undefined) exports.push(found);
  }
  return { exports, problems };
}

const exporterVariable = (signal: Signal): string => `OTEL_${signal.toUpperCase()}_EXPORTER`;

function exporterNames(environment: Environment, signal: Signal): readonly string[] {
  const list = variable(environment, exporterVariable(signal));
  if (list !== undefined) return [...new Set(list.split(",").map((name) => name.trim().toLowerCase()))];
  const endpoints = [`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`, "OTEL_EXPORTER_OTLP_ENDPOINT"];
  return endpoints.some((name) => variable(environment, name) !== undefined) ? ["otlp"] : [];
}

function exportNamed(
  name: string,
  environment: Environment,
  signal: Signal,
): SignalExport | { readonly problem: string } | undefined {
  switch (name) {
    case "otlp": {
      const endpoint = otlpEndpoint(environment, signal);
      return "problem" in endpoint ? endpoint : { to: "otlp", endpoint };
    }
    case "console":
      return { to: "console" };
    case "none":
    case "":
      return undefined;
    default:
      return { problem: `${exporterVariable(signal)} names ${JSON.stringify(name)}; known are otlp, console and none` };
  }
}
