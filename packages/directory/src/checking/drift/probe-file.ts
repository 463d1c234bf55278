import { PROBE_TYPES } from "./probe-types.ts";
import type { Probe, Question } from "./probes.ts";

/** A function to ask about: its exported name, and the questions about its type. */
export interface ProbedFunction {
  /** The import of the file, relative. */
  readonly specifier: string;
  readonly exported: string;
  /** The name of its type in the probes. */
  readonly type: string;
  readonly probes: readonly Probe[];
}

/** The file of all probes, and the question that each of its lines asks. */
export interface ProbeFile {
  readonly text: string;
  /** By the number of the line, from 1. */
  readonly questions: ReadonlyMap<number, { readonly index: number; readonly question: Question }>;
}

/** Writes each question on a line of its own, so that the line of a compiler message identifies the question. */
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

/** The author's type in the compiler's message about a probe; undefined for any other message. */
export function answeredType(text: string): string | undefined {
  return /^Type '\[(.*)\]' is not assignable to type '"fine"'\.$/s.exec(text)?.[1];
}
