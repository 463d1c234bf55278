import { unknownModelHint } from "@mdx-ai/models";
import { type AgentDirectory, byFileAndPosition, type Diagnostic, type LocatedModel, quoted } from "@mdx-ai/parser";

/** The diagnostics of a directory, with those about models that no vendor has. */
export function withModelDiagnostics({
  source: file = "agent.mdx",
  models,
  diagnostics,
}: Pick<AgentDirectory, "source" | "models" | "diagnostics">): readonly Diagnostic[] {
  const unknown = models.flatMap((model) => {
    const hint = unknownModelHint(model.name);
    return hint === undefined ? [] : [{ ...model, file, hint }];
  });
  if (unknown.length === 0) return diagnostics;
  const keys = unknown.filter(({ setting }) => setting === "key");
  const kept = diagnostics.map((one) => (keys.some((key) => isAt(one, key)) ? withoutFix(one) : one));
  const found = unknown.filter(({ setting }) => setting !== "key").map(modelDiagnostic);
  return [...kept, ...found].toSorted(byFileAndPosition);
}

interface UnknownModel extends LocatedModel {
  readonly file: string;
  readonly hint: string;
}

const isAt = ({ file, line, column }: Diagnostic, model: UnknownModel): boolean =>
  file === model.file && line === model.line && column === model.column;

/** A key is renamed to `model` only if its value is one. */
const withoutFix = ({ fix: _fix, ...diagnostic }: Diagnostic): Diagnostic => diagnostic;

const modelDiagnostic = ({ name, setting, file, line, column, hint }: UnknownModel): Diagnostic => ({
  ...{ file, line, column, severity: "error", rule: "setting-type" },
  message: `unexpected ${quoted(name)} as \`${setting}\`, expected a model of a known vendor`,
  hint,
});
