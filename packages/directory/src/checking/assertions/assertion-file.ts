import type { Diagnostic } from "@mdx-ai/parser";
import type { CompilerMessage } from "../compiler.ts";

/** An assertion about the author's types that the compiler checks. */
export interface TypeAssertion {
  /** TypeScript on one line; the compiler reports an error there if the types are not as stated. */
  readonly text: string;
  /** The diagnostic for a failed assertion. The compiler's reason is appended; without a hint, the compiler's details become the hint. */
  readonly report: () => Diagnostic;
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
    const failure = decided.find(({ line }) => line === index + 1);
    if (failure === undefined) return [];
    const diagnostic = report();
    const details = failure.details.join(" ");
    if (diagnostic.hint !== undefined) {
      return [{ ...diagnostic, message: `${diagnostic.message}: ${details || failure.text}` }];
    }
    const message = `${diagnostic.message}: ${failure.text}`;
    return [{ ...diagnostic, message, ...(details !== "" && { hint: details }) }];
  });
}

/** The compiler's messages about types that are too deep or too large to compare. */
const UNDECIDED = [2321, 2589, 2590, 2859];

/** The types that assertions are written with. */
const TYPES = `import type { ToolContext } from "mdx-ai";

type Callable = (...args: never[]) => unknown;
interface AgentModule extends Partial<Record<Member, Callable>> {}
type Member = "describe" | "initialize" | "tools" | "systemPrompt" | "start" | "stop" | HookName;
type HookName = "beforePrompt" | "beforeTool" | "afterTool" | "afterPrompt";
`;
