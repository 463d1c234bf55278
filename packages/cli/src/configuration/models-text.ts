import type { VendorStatus } from "@mdx-ai/models";
import type { Paint } from "../output/paint.ts";
import { plainLine } from "../plain-text.ts";
import type { ModelsReport, ReportedModel } from "./models-report.ts";

/** A report for people. */
export function modelsText({ models, settings, vendors }: ModelsReport, paint: Paint): string {
  const parts = [
    section(
      "Models, in the order in which they are asked",
      models.map((model) => modelRow(model, models)),
      paint,
    ),
    section(
      "Settings",
      Object.entries(settings).map(([name, { value, origin }]) => [name, written(value), origin]),
      paint,
    ),
    section("Vendors", vendors.map(vendorRow), paint),
    remedies(models, paint),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

type Row = readonly string[];

function modelRow(
  { reference, origin, missing, api_version: version }: ReportedModel,
  models: readonly ReportedModel[],
): Row {
  const isAlone = models.every((model) => model.missing.length > 0);
  const state = missing.length === 0 ? "ready" : `${missing.join(" and ")} not set${isAlone ? "" : ": left out"}`;
  return [
    reference,
    origin,
    version === undefined ? state : `${state}; api_version ${version.value} (${version.origin})`,
  ];
}

function vendorRow({ name, key, keyOrigin, address }: VendorStatus): Row {
  const place =
    address?.value === ""
      ? `no address: ${address.origin}`
      : ((address && `${address.value} (${address.origin})`) ?? "");
  return [name, key === "none" ? "needs no key" : `key ${key}`, keyOrigin ?? "", place];
}

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A heading and its rows, in columns. */
function section(title: string, rows: readonly Row[], paint: Paint): string {
  const cells = rows.map((row) => row.map(plainLine));
  const widths = (cells[0] ?? []).map((_cell, column) =>
    Math.max(...cells.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const body = lines.length === 0 ? ["none"] : lines;
  return `${paint("bold", title)}\n${body.map((line) => `  ${line}\n`).join("")}`;
}

const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** How to set what is missing. */
function remedies(models: readonly ReportedModel[], paint: Paint): string {
  const [first] = models;
  const isUnset = first === undefined || (first.reference === "offline" && first.origin === "default");
  const variables = isUnset ? ["ANTHROPIC_API_KEY"] : [...new Set(models.flatMap(({ missing }) => missing))];
  if (variables.length === 0) return "";
  const lines = variables.map((variable) => `  export ${variable}=…\n`).join("");
  const other = isUnset
    ? "  or the key of another vendor, LLM_VENDOR and LLM_MODEL, --model VENDOR/NAME, --config FILE\n"
    : "";
  return `${paint("bold", isUnset ? "No model is configured; to set one" : "To set what is missing")}\n${lines}${other}`;
}
