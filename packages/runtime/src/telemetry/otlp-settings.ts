import type { Environment } from "@mdx-ai/base";
import { parseKeyPairsIntoRecord } from "@opentelemetry/core";

/** The signals, sent separately: spans or metrics. */
export type Signal = "traces" | "metrics";

/** How one signal reaches a collector. */
export interface OtlpSettings {
  readonly to: "otlp";
  readonly protocol: "http/protobuf" | "http/json";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long one export may take, with its retries. */
  readonly timeoutMillis: number;
  readonly compression: "gzip" | "none";
}

/** An exporter; `console` gives the user lines of OTLP's JSON. */
export type ExporterSettings = OtlpSettings | { readonly to: "console" };

/** Receives the problems of the variables, each as a part of one line. */
type ReportProblem = (problem: string) => void;

const DEFAULT_ENDPOINT = "http://localhost:4318";
const DEFAULT_TIMEOUT = 10_000;

/** A variable's trimmed value; an empty one counts as unset. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}

/** The positive integer in a variable; anything else counts as unset. */
export function countVariable(environment: Environment, name: string): number | undefined {
  const value = Number(variable(environment, name));
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The exporters that `OTEL_<SIGNAL>_EXPORTER` names; without it, OTLP if the signal has an endpoint. */
export function exporterSettings(
  environment: Environment,
  signal: Signal,
  report: ReportProblem,
): readonly ExporterSettings[] {
  const name = `OTEL_${signal.toUpperCase()}_EXPORTER`;
  const usual = given(environment, signal, "ENDPOINT").value === undefined ? "none" : "otlp";
  const kinds = (variable(environment, name) ?? usual).split(",").map((kind) => kind.trim().toLowerCase());
  return [...new Set(kinds)].flatMap((kind): readonly ExporterSettings[] => {
    switch (kind) {
      case "otlp":
        return otlpSettings(environment, signal, report);
      case "console":
        return [{ to: kind }];
      case "none":
      case "":
        return [];
      default:
        report(`${name} names ${JSON.stringify(kind)}; the known exporters are otlp, console and none`);
        return [];
    }
  });
}

/** Undefined if a variable is wrong. */
function otlpSettings(environment: Environment, signal: Signal, report: ReportProblem): readonly OtlpSettings[] {
  const { name, value: protocol = "http/protobuf" } = given(environment, signal, "PROTOCOL");
  if (protocol !== "http/json" && protocol !== "http/protobuf") {
    report(`${name}=${protocol} is not supported; set it to http/protobuf or http/json`);
    return [];
  }
  const url = signalUrl(environment, signal, report);
  if (url === undefined) return [];
  const [own, common] = names(signal, "TIMEOUT");
  const timeoutMillis = countVariable(environment, own) ?? countVariable(environment, common) ?? DEFAULT_TIMEOUT;
  const compression = given(environment, signal, "COMPRESSION").value?.toLowerCase() === "gzip" ? "gzip" : "none";
  const headers = otlpHeaders(environment, signal);
  return [{ to: "otlp", protocol, url: url.href, headers, timeoutMillis, compression }];
}

/** The variables of a setting: the signal's comes before the common one. */
const names = (signal: Signal, setting: string): readonly [string, string] => [
  `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${setting}`,
  `OTEL_EXPORTER_OTLP_${setting}`,
];

function given(
  environment: Environment,
  signal: Signal,
  setting: string,
): { readonly name: string; readonly value: string | undefined } {
  const [own, common] = names(signal, setting);
  const value = variable(environment, own);
  return value === undefined ? { name: common, value: variable(environment, common) } : { name: own, value };
}

/** The signal's endpoint is used unchanged; the common endpoint gets the signal's path appended. */
function signalUrl(environment: Environment, signal: Signal, report: ReportProblem): URL | undefined {
  const { name, value = DEFAULT_ENDPOINT } = given(environment, signal, "ENDPOINT");
  const isOwn = name === names(signal, "ENDPOINT")[0];
  const url = URL.parse(isOwn ? value : `${value.replace(/\/+$/, "")}/v1/${signal}`);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  // The message omits the value, which may contain a password.
  report(`${name} is not an http or https URL`);
  return undefined;
}

/** The headers of both variables; the signal's override the common ones. */
function otlpHeaders(environment: Environment, signal: Signal): Readonly<Record<string, string>> {
  const [own, common] = names(signal, "HEADERS");
  return { ...parseKeyPairsIntoRecord(environment[common]), ...parseKeyPairsIntoRecord(environment[own]) };
}
