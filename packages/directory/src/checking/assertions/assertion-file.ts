import type { Diagnostic } from "@mdx-ai/parser";
import type { CompilerMessage } from "../compiler.ts";

/** A statement about the author's types that the compiler checks. */
export interface TypeAssertion {
  /** TypeScript on one line; the compiler reports an error there if the types are not as stated. */
  readonly text: string;
  /** What to report then, followed by the compiler's reason; without a hint, the compiler's details are the hint. */
  readonly report: () => Diagnostic;
}

/** States that a value of the type `given` can be passed where `expected` is the type. */
export const accepts = (given: string, expected: string): string => `null! as ${given} satisfies ${expected};`;

/** The assertions about an agent's types, as if they were a file in the agent directory. */
export const ASSERTION_FILE = "agent.mdx.assertions.ts";

/** Writes each assertion on a line of its own, so that the line of a compiler message identifies it. */
export const assertionFile = (assertions: readonly TypeAssertion[]): string =>
  [...assertions.map(({ text }) => text), TYPES].join("\n");

/** The diagnostics of the assertions that do not hold, from the compiler's messages about their file. */
export function failedAssertions(
  assertions: readonly TypeAssertion[],
  messages: readonly CompilerMessage[],
): readonly Diagnostic[] {
  const decided = messages.filter(({ code }) => !UNDECIDED.includes(code));
  return assertions.flatMap(({ report }, index) => {
    const failure = decided.find(({ line }) => line === index + 1);
    if (failure === undefined) return [];
    const diagnostic = report();
    const { hint = failure.details.join(" ") || undefined } = diagnostic;
    const message = `${diagnostic.message}: ${failure.text}`;
    return [{ ...diagnostic, message, ...(hint === undefined ? {} : { hint }) }];
  });
}

/** The compiler's messages about types that are too deep or too large to compare. */
const UNDECIDED = [2321, 2589, 2590, 2859];

/** The types that assertions are written with. What an author leaves open is any, which fits everything. */
const TYPES = `import type { ToolContext } from "mdx-ai";

type Callable = (...args: never[]) => unknown;
interface AgentModule extends Partial<Record<"tools" | "systemPrompt" | "start" | "stop" | HookName, Callable>> {
  describe: Callable;
  initialize: Callable;
}
type HookName = "beforePrompt" | "beforeTool" | "afterTool" | "afterPrompt";

type Stated<T> = unknown extends T ? any : T;
type Argument<F, Index> = F extends (...args: infer P) => unknown
  ? Index extends keyof P ? Stated<Exclude<P[Index], undefined>> : any
  : any;

/** An object with known members; any for everything else, and for a union. */
type Members<T> = MembersOf<Exclude<T, null | undefined>>;
type MembersOf<O> = [O] extends [never] ? any
  : IsUnion<O> extends true ? any
  : [O] extends [readonly unknown[]] ? any
  : [O] extends [object] ? [keyof O] extends [never] ? any : O
  : any;
type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;

/** The type of a member. An index signature does not say whether the member may be absent. */
type Member<T, Name, Absent> = MemberOf<Members<T>, Name, Absent>;
type MemberOf<O, Name, Absent> = Name extends keyof O
  ? Stated<string extends keyof O ? O[Name] | Absent : O[Name]>
  : any;

/** The names of other members; if there may be others, of those that must be given. */
type Others<T, Known, MayHaveOthers> = OthersOf<Members<T>, Known, MayHaveOthers>;
type OthersOf<O, Known, MayHaveOthers> = string extends keyof O ? never
  : Exclude<MayHaveOthers extends true ? RequiredNames<O> : keyof O, Known>;
type RequiredNames<O> = { [Name in keyof O]-?: {} extends Pick<O, Name> ? never : Name }[keyof O];

type Item<T> = [Exclude<T, null | undefined>] extends [readonly (infer I)[]] ? Stated<I> : any;

/** The author's type T, but Declared where T may say less: string for each of several texts. */
type AsWord<Declared, T> = [Widened<Declared>] extends [T] ? [T] extends [Widened<Declared>] ? Declared : T : T;
type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;
/** A choice must be accepted as a whole, but may be split in other ways. */
type AsChoice<Declared, T> = [Declared] extends [T] ? Declared | Extract<T, undefined> : T;
/** Items and members have assertions of their own. */
type AsArray<Declared, T> = T extends readonly unknown[] ? unknown[] : T;
type AsObject<Declared, T> = T extends readonly unknown[] ? T : T extends object ? object : T;
type AsUnknown<Declared, T> = T extends undefined ? T : {};
`;
