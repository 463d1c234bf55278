import { attempt, isNeededVariable } from "@mdx-ai/base";
import { codeLoader, codeTranspiler } from "./tool-code-check.ts";

/** A variable that code reads, and where. */
export interface ReadVariable {
  readonly name: string;
  readonly offset: number;
}

const ENVIRONMENT = String.raw`\b(?:process|Bun|import\.meta)\s*\??\.\s*env`;
const NAME = "[A-Za-z_][A-Za-z0-9_]*";
/** A member of the environment, with a dot or in brackets, unless it is assigned. */
const MEMBER = String.raw`${ENVIRONMENT}\s*(?:\??\.\s*(${NAME})(?![\w$])|(?:\?\.)?\s*\[\s*["'\x60](${NAME})["'\x60]\s*\])(?!\s*=(?![=>]))`;
/** Members that a pattern takes from the environment. */
const PATTERN = String.raw`\{([^{}]{1,2000})\}\s*=\s*${ENVIRONMENT}(?!\s*[.?[])`;

/** Variables that every process of a tool has or that the runtime sets. */
const GIVEN = new Set(["NODE_ENV"]);

/** The environment variables that code reads without its `env` attribute naming them: its process does not have them. Runs nothing. */
export function undeclaredVariables(
  { text, file }: { readonly text: string; readonly file?: string | undefined },
  declared: readonly string[],
): readonly ReadVariable[] {
  if (!/\benv\b/.test(text)) return [];
  // What the transpiler leaves is not in a comment.
  const code = attempt(() => codeTranspiler(codeLoader(file)).transformSync(text)) ?? "";
  const names = new Set(variablesIn(code).map(({ name }) => name));
  const seen = new Set(declared);
  return variablesIn(text).filter(({ name }) => {
    const isNew = names.has(name) && !seen.has(name) && !GIVEN.has(name) && !isNeededVariable(name);
    seen.add(name);
    return isNew;
  });
}

function variablesIn(code: string): readonly ReadVariable[] {
  const members = [...code.matchAll(new RegExp(MEMBER, "g"))].map(({ 1: dotted, 2: quoted, index }) => ({
    name: dotted ?? quoted ?? "",
    offset: index,
  }));
  const patterns = [...code.matchAll(new RegExp(PATTERN, "g"))].flatMap(({ 1: inner = "", index }) =>
    [...inner.matchAll(new RegExp(`(?<=^|,)\\s*["']?(${NAME})["']?\\s*(?=[:=,]|$)`, "g"))].map(
      ({ 0: part, 1: name = "", index: at }) => ({
        name,
        offset: index + 1 + at + part.indexOf(name),
      }),
    ),
  );
  return [...members, ...patterns].toSorted((one, other) => one.offset - other.offset);
}

/** What to say of an undeclared variable. */
export const variableProblem = (name: string, declared: readonly string[]) => ({
  rule: "tool-variable" as const,
  message: `the code reads ${name}, which its process does not have: \`env\` does not name it`,
  hint: `write \`env="${[...declared, name].join(",")}"\` in the \`<Tool>\` tag`,
});
