import { PROBE_TYPES } from "./probe-types.ts";
import type { Probe, Question } from "./probes.ts";

/** A function to ask about: the name under which a file exports it, and the questions about the type of that name here. */
export interface ProbedFunction {
  /** The import of the file, relative. */
  readonly specifier: string;
  readonly exported: string;
  /** The name of its type in the probes. */
  readonly type: string;
  readonly probes: readonly Probe[];
}

/** The file of all probes, and what the complaint about a line answers: the function's index and the question. */
export interface ProbeFile {
  readonly text: string;
  /** By the number of the line, from 1. */
  readonly questions: ReadonlyMap<number, { readonly index: number; readonly question: Question }>;
}

/** Writes each question on a line of its own, so that the compiler's messages can be told apart by their lines. */
export function probeFile(functions: readonly ProbedFunction[]): ProbeFile {
  const lines = ['import type { ToolContext } from "mdx-ai";', ...PROBE_TYPES.trimEnd().split("\n")];
  const questions = new Map<number, { readonly index: number; readonly question: Question }>();
  for (const [index, { specifier, exported, type, probes }] of functions.entries()) {
    lines.push(`import type { ${exported} as ${type}Function } from ${JSON.stringify(specifier)};`);
    lines.push(`type ${type} = typeof ${type}Function;`);
    for (const { question, type: answer } of probes) {
      const name = `probe${lines.length}`;
      lines.push(`declare const ${name}: ${answer}; export const ${name}Answer: "fine" = ${name};`);
      questions.set(lines.length, { index, question });
    }
  }
  return { text: `${lines.join("\n")}\n`, questions };
}

/** The author's type that a complaint about a probe prints; undefined for any other complaint. */
export function answeredType(text: string): string | undefined {
  return /^Type '\[(.*)\]' is not assignable to type '"fine"'\.$/s.exec(text)?.[1];
}
