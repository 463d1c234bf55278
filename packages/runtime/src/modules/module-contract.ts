import { defined } from "@mdx-ai/base";
import type { AgentModule, ChangingTools, ProgramModule } from "../types/module.ts";

const MEMBERS = ["describe", "initialize", "tools", "systemPrompt", "start", "stop"] as const;

/** The hooks around prompts and tool calls. */
const PROMPT_HOOKS = ["beforePrompt", "beforeTool", "afterTool", "beforeEnd", "onQuestion", "afterPrompt"] as const;

/** The version of the interface between modules and the program. */
export const API_VERSION = 1;

/** A module that has all members but the hooks. */
export type CompleteModule = ProgramModule & Required<Pick<AgentModule, (typeof MEMBERS)[number]>>;

/** A default export is not an AgentModule; the message names every member that is missing or of the wrong kind. */
class ModuleContractError extends Error {
  override readonly name = "ModuleContractError";
}

/** Narrows the default export of a module file. Throws `ModuleContractError`, or what a getter throws. */
export function moduleExport(value: unknown): AgentModule {
  const version = isObject(value) ? Reflect.get(value, "apiVersion") : undefined;
  if (version !== undefined && version !== API_VERSION)
    throw new ModuleContractError(
      `it is written for apiVersion ${String(version)}, and this program has ${API_VERSION}`,
    );
  if (isModuleExport(value)) return value;
  throw new ModuleContractError(`unexpected ${mistake(value)}`);
}

/** Fills in the missing members of a module with ones that do nothing; `name` is its name without `describe`. Missing hooks stay absent. */
export function completeModule(module: ProgramModule, name: string): CompleteModule {
  const { beforePrompt, beforeTool, afterTool, beforeEnd, onQuestion, afterPrompt } = module;
  return {
    ...defined({ hookLimit: module.hookLimit }),
    describe: () => (module.describe ? module.describe() : { name, description: "" }),
    initialize: async (context) => module.initialize?.(context),
    tools: () => (module.tools ? module.tools() : []),
    systemPrompt: () => (module.systemPrompt ? module.systemPrompt() : ""),
    start: async () => module.start?.(),
    stop: async () => module.stop?.(),
    ...(beforePrompt && { beforePrompt: (event) => beforePrompt.call(module, event) }),
    ...(beforeTool && { beforeTool: (event) => beforeTool.call(module, event) }),
    ...(afterTool && { afterTool: (event) => afterTool.call(module, event) }),
    ...(beforeEnd && { beforeEnd: (event) => beforeEnd.call(module, event) }),
    ...(onQuestion && { onQuestion: (event) => onQuestion.call(module, event) }),
    ...(afterPrompt && { afterPrompt: (event) => afterPrompt.call(module, event) }),
  };
}

const isModuleExport = (value: unknown): value is AgentModule => isObject(value) && wrongMembers(value).length === 0;

function mistake(value: unknown): string {
  if (value === undefined) return "module without a default export, expected an AgentModule";
  if (!isObject(value)) return `default export (${kindOf(value)}), expected an AgentModule object`;
  return `default export: ${wrongMembers(value).join(", ")}; expected the functions of AgentModule`;
}

/** One member is enough. */
function wrongMembers(value: object): readonly string[] {
  const members = [...MEMBERS, ...PROMPT_HOOKS].map((name): [string, unknown] => [name, Reflect.get(value, name)]);
  const present = members.filter(([, member]) => member !== undefined);
  if (present.length === 0) return [`it has none of ${members.map(([name]) => name).join(", ")}`];
  return present
    .filter(([, member]) => typeof member !== "function")
    .map(([name, member]) => `${name} is ${kindOf(member)}`);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A hook returned a value that violates its contract. */
export class HookAnswerError extends Error {
  override readonly name = "HookAnswerError";

  constructor(answer: unknown, expected: string) {
    super(`unexpected ${kindOf(answer)}, expected ${expected}`);
    // An unexpected async hook: nothing else handles its rejection, which would end the process.
    if (answer instanceof Promise) answer.catch(() => {});
  }
}

/** Narrows what `describe()` returned to its name. Throws `HookAnswerError`. */
export function describedName(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "name" in answer && isName(answer.name)) return answer.name;
  throw new HookAnswerError(answer, "{name, description} with a name");
}

const isName = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Narrows what `systemPrompt()` returned. Throws `HookAnswerError`. */
export function sectionText(answer: unknown): string {
  if (typeof answer === "string") return answer;
  throw new HookAnswerError(answer, "a string");
}

/** Narrows what a module's `tools()` returned. A list never changes. Throws `HookAnswerError`. */
export function changingTools(answer: unknown): ChangingTools {
  if (Array.isArray(answer)) return { tools: () => answer, onChange: () => {} };
  if (isObject(answer) && isChangingTools(answer)) return answer;
  throw new HookAnswerError(answer, "an array of tools, or an object with the functions tools and onChange");
}

function isChangingTools(value: object): value is ChangingTools {
  const [tools, onChange, prepare = tools] = ["tools", "onChange", "prepare"].map((name): unknown =>
    Reflect.get(value, name),
  );
  return [tools, onChange, prepare].every((member) => typeof member === "function");
}

/** Narrows a list of tools, but not the elements. Throws `HookAnswerError`. */
export function toolList(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  throw new HookAnswerError(answer, "an array of tools");
}

/** The kind of a value, in words such as "a string" or "an array". */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) return "a promise";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
