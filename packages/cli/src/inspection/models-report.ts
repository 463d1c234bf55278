import type { Environment } from "@mdx-ai/base";
import {
  accessOf,
  parametersOf,
  type ResolvedConfiguration,
  type ResolvedModel,
  refusedBy,
  type Sourced,
  type VendorStatus,
  vendorStatuses,
} from "@mdx-ai/models";
import { columns, type Row } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";

/** A model that would be used. */
interface ReportedModel {
  readonly reference: string;
  readonly origin: string;
  /** Missing environment variables. */
  readonly missing: readonly string[];
  /** The settings that are not sent, because the model refuses them. */
  readonly refuses?: readonly string[];
  /** Azure's API version. */
  readonly api_version?: Sourced<string>;
}

/** Which models would be used, and the source of each setting. Contains no key. */
export interface ModelsReport {
  /** In fallback order; empty if none is configured. */
  readonly models: readonly ReportedModel[];
  /** By configuration name; only values that are set. */
  readonly settings: Readonly<Record<string, Sourced<unknown>>>;
  readonly vendors: readonly VendorStatus[];
}

export function modelsReport(resolved: ResolvedConfiguration, environment: Environment): ModelsReport {
  const { temperature, max_tokens, thinking, reasoning_effort, stream, retries, timeout } = resolved;
  const settings = { temperature, max_tokens, thinking, reasoning_effort, stream, retries, timeout };
  return {
    models: resolved.models.map((model) => reported(model, resolved)),
    settings: Object.fromEntries(
      Object.entries(settings).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])),
    ),
    vendors: vendorStatuses(resolved, environment),
  };
}

function reported(model: ResolvedModel, resolved: ResolvedConfiguration): ReportedModel {
  const access = accessOf(model);
  const refuses = refusedBy(model, parametersOf(resolved));
  return {
    reference: model.reference.value,
    origin: model.reference.origin,
    missing: access?.missing ?? [],
    ...(refuses.length > 0 && { refuses }),
    ...(access?.apiVersion && { api_version: access.apiVersion }),
  };
}

/** A report as text. */
export function modelsText({ models, settings, vendors }: ModelsReport, paint: Paint): string {
  const isAnyReady = models.some(({ missing }) => missing.length === 0);
  const sections = [
    section(
      "Models, in fallback order",
      models.map((model) => modelRow(model, isAnyReady)),
      paint,
    ),
    section(
      "Settings",
      Object.entries(settings).map(([name, { value, origin }]) => ({ cells: [name, written(value), origin] })),
      paint,
    ),
    section("Vendors", vendors.map(vendorRow), paint),
    ...fixes(models, paint),
  ];
  return sections.join("\n");
}

function section(title: string, rows: readonly Row[], paint: Paint): string {
  const lines = rows.length === 0 ? ["none"] : columns(rows, paint);
  return `${paint("bold", title)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function modelRow(model: ReportedModel, isAnyReady: boolean): Row {
  const { reference, origin, missing, refuses = [], api_version: version } = model;
  const isReady = missing.length === 0;
  const state = isReady ? "ready" : `${missing.join(" and ")} not set${isAnyReady ? ": left out" : ""}`;
  const versionText = version === undefined ? "" : `api_version ${version.value} (${version.origin})`;
  const refusal = refuses.length === 0 ? "" : `${refuses.join(", ")} not sent: the model refuses it`;
  const notes = [versionText, refusal].filter((note) => note !== "").join("; ");
  return { cells: [reference, origin, state, notes], ...(!isReady && { colour: "yellow" }) };
}

function vendorRow({ name, key, keyOrigin = "", address }: VendorStatus): Row {
  const state = key === "none" ? "needs no key" : `key ${key}`;
  const cells = [name, state, keyOrigin, addressText(address)];
  return { cells, ...(key !== "none" && { colour: key === "set" ? "green" : "dim" }) };
}

function addressText(address: VendorStatus["address"]): string {
  if (address === undefined) return "";
  return address.value === "" ? `no address: ${address.origin}` : `${address.value} (${address.origin})`;
}

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** How to set missing variables; empty if nothing is missing. */
function fixes(models: readonly ReportedModel[], paint: Paint): readonly string[] {
  const isUnset = models.every(({ reference, origin }) => reference === "offline" && origin === "default");
  const variables = isUnset ? ["ANTHROPIC_API_KEY"] : [...new Set(models.flatMap(({ missing }) => missing))];
  if (variables.length === 0) return [];
  const others = "or the key of another vendor, LLM_VENDOR and LLM_MODEL, --model VENDOR/NAME, --config FILE";
  const lines = [...variables.map((variable) => `export ${variable}=…`), ...(isUnset ? [others] : [])];
  const title = isUnset ? "No model is configured; to set one" : "To set what is missing";
  return [`${paint("bold", title)}\n${lines.map((line) => `  ${line}\n`).join("")}`];
}
