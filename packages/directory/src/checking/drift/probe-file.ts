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

/**
 * Types that each ask one question about the author's type. The answer is `"fine"`, or a tuple of one type, which the
 * compiler then prints in its message that the tuple is not `"fine"`.
 */
const PROBE_TYPES = `type Show<Fine, T> = Fine extends true ? "fine" : [T];
type IsAny<T> = 0 extends 1 & T ? true : false;
type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;
/** Whether it is any or unknown. */
type Loose<T> = IsAny<T> extends true ? true : unknown extends T ? true : false;
type Solid<T> = Exclude<T, null | undefined>;
type Widen<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;
/** An object with known members; any if there are none, as for a union. */
type Plain<T> = Loose<T> extends true ? any
  : Solid<T> extends infer O
    ? [O] extends [never] ? any
      : IsUnion<O> extends true ? any
      : [O] extends [object] ? [O] extends [readonly unknown[]] ? any : [keyof O] extends [never] ? any : O
      : any
    : any;

type First<F> = F extends (...args: infer P extends any[]) => unknown ? "0" extends keyof P ? Exclude<P[0], undefined> : any : any;
type Second<F> = F extends (...args: infer P extends any[]) => unknown ? "1" extends keyof P ? Exclude<P[1], undefined> : any : any;
type Child<T, K> = Plain<T> extends infer O ? IsAny<O> extends true ? any : K extends keyof O ? Exclude<O[K], undefined> : any : any;
type Item<T> = Loose<T> extends true ? any : Solid<T> extends readonly (infer I)[] ? I : any;

type AskCallable<F> = Show<Loose<F> extends true ? true : [F] extends [(...args: never[]) => unknown] ? true : false, F>;
type AskContext<T> = Show<Loose<T> extends true ? true : [ToolContext] extends [T] ? true : false, T>;
/** Whether the values of a shape are exactly those of the author's type, literals aside. */
type AskSame<S, T> = Show<Loose<T> extends true ? true : [S] extends [T] ? [T] extends [S] ? true : SameTypes<Widen<S>, T> : false, T>;
type SameTypes<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;
type AskTakes<S, T> = Show<Loose<T> extends true ? true : [S] extends [T] ? true : false, T>;
type AskObject<T, Nullable> = Loose<T> extends true ? "fine" : Solid<T> extends infer O
  ? Show<[O] extends [never] ? false : [O] extends [object] ? [O] extends [readonly unknown[]] ? false : SameNull<T, Nullable> : false, T>
  : never;
type AskArray<T, Nullable> = Loose<T> extends true ? "fine" : Solid<T> extends infer O
  ? Show<[O] extends [never] ? false : [O] extends [readonly unknown[]] ? SameNull<T, Nullable> : false, T>
  : never;
type SameNull<T, Nullable> = null extends T ? Nullable : Nullable extends true ? false : true;
type AskMember<T, K> = Plain<T> extends infer O ? Show<IsAny<O> extends true ? true : K extends keyof O ? true : false, { [P in keyof O]: O[P] }> : never;
type AskPresence<T, K, Required> = Plain<T> extends infer O
  ? IsAny<O> extends true ? "fine"
    : string extends keyof O ? "fine"
    : K extends keyof O
      ? Loose<O[K]> extends true ? "fine" : Show<undefined extends O[K] ? Required extends true ? false : true : Required, Exclude<O[K], undefined>>
      : "fine"
  : never;
type AskRest<T, Known, Open> = Plain<T> extends infer O
  ? IsAny<O> extends true ? "fine"
    : string extends keyof O ? "fine"
    : { [P in keyof O as P extends Known ? never : Open extends true ? {} extends Pick<O, P> ? never : P : P]: O[P] } extends infer B
      ? Show<[keyof B] extends [never] ? true : false, B>
      : never
  : never;
`;
