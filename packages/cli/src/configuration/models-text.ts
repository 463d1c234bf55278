import type { VendorStatus } from "@mdx-ai/models";
import type { Paint } from "../output/paint.ts";
import { columns, type Row } from "./columns.ts";
import type { ModelsReport, ReportedModel } from "./models-report.ts";

/** A report for people. */
export function modelsText({ models, settings, vendors }: ModelsReport, paint: Paint): string {
  const isAnyReady = models.some(({ missing }) => missing.length === 0);
  const sections = [
    section(
      "Models, in the order in which they are asked",
      models.map((model) => modelRow(model, isAnyReady)),
      paint,
    ),
    section(
      "Settings",
      Object.entries(settings).map(([name, { value, origin }]) => ({ cells: [name, written(value), origin] })),
      paint,
    ),
    section("Vendors", vendors.map(vendorRow), paint),
    ...remedies(models, paint),
  ];
  return sections.join("\n");
}

function section(title: string, rows: readonly Row[], paint: Paint): string {
  const lines = rows.length === 0 ? ["none"] : columns(rows, paint);
  return `${paint("bold", title)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function modelRow({ reference, origin, missing, api_version: version }: ReportedModel, isAnyReady: boolean): Row {
  const isReady = missing.length === 0;
  const state = isReady ? "ready" : `${missing.join(" and ")} not set${isAnyReady ? ": left out" : ""}`;
  const versionText = version === undefined ? "" : `api_version ${version.value} (${version.origin})`;
  return { cells: [reference, origin, state, versionText], ...(!isReady && { colour: "yellow" }) };
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

/** How to set what is missing; empty if nothing is. */
function remedies(models: readonly ReportedModel[], paint: Paint): readonly string[] {
  const isUnset = models.every(({ reference, origin }) => reference === "offline" && origin === "default");
  const variables = isUnset ? ["ANTHROPIC_API_KEY"] : [...new Set(models.flatMap(({ missing }) => missing))];
  if (variables.length === 0) return [];
  const others = "or the key of another vendor, LLM_VENDOR and LLM_MODEL, --model VENDOR/NAME, --config FILE";
  const lines = [...variables.map((variable) => `export ${variable}=…`), ...(isUnset ? [others] : [])];
  const title = isUnset ? "No model is configured; to set one" : "To set what is missing";
  return [`${paint("bold", title)}\n${lines.map((line) => `  ${line}\n`).join("")}`];
}
