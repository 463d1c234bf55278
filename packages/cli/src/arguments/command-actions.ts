import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

/** An action of a command, such as `sessions DIR show ID`. */
export interface CommandAction<Run> {
  /** Its arguments, as in the help; those in brackets are optional, and the last may be repeated if it ends with "…". */
  readonly words: readonly string[];
  /** The options that it takes. */
  readonly options: readonly string[];
  /** Returns the exit code; 0 if absent. */
  readonly run: (run: Run) => void | Promise<void> | Promise<number>;
}

/** Which action is called, of which command. */
export interface ActionCall {
  readonly command: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
}

/** The action of a call, whose arguments and options it takes. Throws `UsageError`. */
export function calledAction<Run>(
  actions: ReadonlyMap<string, CommandAction<Run>>,
  { command, name, words, args }: ActionCall,
): CommandAction<Run> {
  const action = actions.get(name);
  if (action === undefined) {
    throw new UsageError(`there is no action ${JSON.stringify(name)}; available: ${[...actions.keys()].join(", ")}`);
  }
  if (!takesWords(action.words, words.length)) {
    throw new UsageError(
      `wrong arguments for ${command} ${name}; write: mdx-ai ${command} DIR ${[name, ...action.words].join(" ")}`,
    );
  }
  const given = [...args.values.keys(), ...args.switches].filter((option) => !EVERY_ACTION.includes(option));
  const stray = given.find((option) => !action.options.includes(option));
  if (stray !== undefined) throw new UsageError(`--${stray} is not an option of ${command} ${name}; leave it out`);
  return action;
}

/** The options that every action takes. */
const EVERY_ACTION: readonly string[] = ["data", "user", "debug"];

function takesWords(words: readonly string[], count: number): boolean {
  const needed = words.filter((word) => !word.startsWith("[")).length;
  const isOpen = words.at(-1)?.replace("]", "").endsWith("…") === true;
  return count >= needed && (isOpen || count <= words.length);
}
