import type { JsonObject } from "@mdx-ai/base";
import { lintRules } from "@mdx-ai/directory/linting";
import { type Diagnostic, rules, type Severity } from "@mdx-ai/parser";
import type { PathWords } from "./repository-path.ts";

/** A log of SARIF 2.1.0 (the OASIS Static Analysis Results Interchange Format) with these diagnostics. */
export function sarifLog(diagnostics: readonly Diagnostic[], pathOf: PathWords, version: string): JsonObject {
  const names = [...new Set(diagnostics.map(({ rule }) => rule))].toSorted();
  const results = diagnostics.map((diagnostic): JsonObject => resultOf(diagnostic, pathOf, names));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "mdx-ai", semanticVersion: version, rules: names.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
}

function ruleOf(id: string): JsonObject {
  const found = Object.entries(lintRules).find(([name]) => name === id)?.[1];
  const usual: Severity = found?.severity ?? Object.entries(rules).find(([name]) => name === id)?.[1] ?? "error";
  const text = found === undefined ? id.replaceAll("-", " ") : `Finds ${found.finds}.`;
  return { id, shortDescription: { text }, defaultConfiguration: { level: usual } };
}

function resultOf(
  { file, line, column, severity, rule, message, hint }: Diagnostic,
  pathOf: PathWords,
  names: readonly string[],
): JsonObject {
  const artifactLocation = locationOf(pathOf(file));
  return {
    ruleId: rule,
    ruleIndex: names.indexOf(rule),
    level: severity,
    message: { text: hint === undefined ? message : `${message}: ${hint}` },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } } }],
  };
}

/** Relative to the root of the sources, which the reader knows; absolute outside. */
const locationOf = (path: string): JsonObject => {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? { uri: `file://${uri}` } : { uri, uriBaseId: "%SRCROOT%" };
};
