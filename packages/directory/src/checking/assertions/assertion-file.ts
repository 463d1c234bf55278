import type { Diagnostic } from "@mdx-ai/parser";
import type { CompilerMessage } from "../compiler.ts";

/** An assertion about the author's types that the compiler checks. */
export interface TypeAssertion {
  /** TypeScript on one line; the compiler reports an error there if the types are not as stated. */
  readonly text: string;
  /** The diagnostic for what the compiler says about it, of which there is at least one message; undefined if it is no mistake. */
  readonly report: (failures: readonly CompilerMessage[]) => Diagnostic | undefined;
}

/** The assertions about an agent's types, as if they were a file in the agent directory. */
export const ASSERTION_FILE = "agent.mdx.assertions.ts";

/** Writes each assertion on a line of its own, so that the line of a compiler message identifies it. */
export const assertionFile = (assertions: readonly TypeAssertion[]): string =>
  [...assertions.map(({ text }) => text), TYPES].join("\n");

/** The diagnostics of failed assertions, from the compiler's messages about their file. */
export function failedAssertions(
  assertions: readonly TypeAssertion[],
  messages: readonly CompilerMessage[],
): readonly Diagnostic[] {
  const decided = messages.filter(({ code }) => !UNDECIDED.includes(code));
  return assertions.flatMap(({ report }, index) => {
    const failures = decided.filter(({ line }) => line === index + 1);
    return failures.length === 0 ? [] : (report(failures) ?? []);
  });
}

/** A diagnostic with the compiler's first reason; without a hint, the compiler's details become the hint. */
export function withReason(diagnostic: Diagnostic, [failure]: readonly CompilerMessage[]): Diagnostic {
  const { text = "", details = [] } = failure ?? {};
  const reasons = details.join(" ");
  if (diagnostic.hint !== undefined) return { ...diagnostic, message: `${diagnostic.message}: ${reasons || text}` };
  return { ...diagnostic, message: `${diagnostic.message}: ${text}`, ...(reasons !== "" && { hint: reasons }) };
}

/** The compiler's messages about types that are too deep or too large to compare. */
const UNDECIDED = [2321, 2589, 2590, 2859];

/** The functions of a module. */
export const MODULE_MEMBERS: readonly string[] = [
  ...["describe", "initialize", "tools", "systemPrompt", "start", "stop"],
  ...["beforePrompt", "beforeTool", "afterTool", "afterPrompt"],
];

/** The types that assertions are written with. */
const TYPES = `import type { ToolContext } from "mdx-ai";

type Gate = (ctx: GateContext) => GateAnswer | Promise<GateAnswer>;
type GateAnswer = boolean | { wake: boolean; message?: string; state?: any };
type Done = (ctx: DoneContext) => boolean | string | Promise<boolean | string>;
type Callable = (...args: never[]) => unknown;
interface AgentModule extends Partial<Record<Member, Callable>> {}
type OtherFunctions<T> = { [K in keyof T]: T[K] extends Callable ? Exclude<K, Member> : never }[keyof T];
type Member = ${MODULE_MEMBERS.map((name) => `"${name}"`).join(" | ")};
`;
