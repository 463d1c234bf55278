import type { AgentModule } from "../types/module.ts";
import { kindOf } from "./kind-of.ts";

const REQUIRED = ["describe", "initialize"] as const;
const EXPECTED = ["tools", "systemPrompt", "start", "stop"] as const;

/** A default export that can be worked with: what lacks can be done without. */
export type ModuleExport = Pick<AgentModule, (typeof REQUIRED)[number]> & Partial<AgentModule>;

/** A default export that is no AgentModule; the message names every member that is missing or of the wrong kind. */
class ModuleContractError extends Error {
  override readonly name = "ModuleContractError";
}

/** Narrows the default export of a module file. Throws `ModuleContractError`, or what a getter throws. */
export function moduleExport(value: unknown): ModuleExport {
  if (isModuleExport(value)) return value;
  throw new ModuleContractError(`unexpected ${mistake(value)}`);
}

/** The members that the contract demands and that the runtime can do without, where they are missing. */
export function missingMembers(module: ModuleExport): readonly string[] {
  return EXPECTED.filter((member) => module[member] === undefined);
}

/** A module with every member, those that are missing doing nothing. */
export function completeModule(module: ModuleExport): AgentModule {
  return {
    describe: () => module.describe(),
    initialize: (context) => module.initialize(context),
    tools: () => (module.tools ? module.tools() : []),
    systemPrompt: () => (module.systemPrompt ? module.systemPrompt() : ""),
    start: async () => module.start?.(),
    stop: () => module.stop?.(),
  };
}

function isModuleExport(value: unknown): value is ModuleExport {
  return isObject(value) && wrongMembers(value).length === 0;
}

function mistake(value: unknown): string {
  if (value === undefined) return "module without a default export, expected one that is an AgentModule";
  if (!isObject(value)) return `default export (${kindOf(value)}), expected an object that is an AgentModule`;
  return `default export: ${wrongMembers(value).join(", ")}; expected functions, as AgentModule has them`;
}

function wrongMembers(value: object): string[] {
  const members = new Map<string, unknown>([...REQUIRED, ...EXPECTED].map((name) => [name, Reflect.get(value, name)]));
  const required: readonly string[] = REQUIRED;
  return [...members]
    .filter(([name, member]) => (member === undefined ? required.includes(name) : typeof member !== "function"))
    .map(([name, member]) => (member === undefined ? `${name} is missing` : `${name} is ${kindOf(member)}`));
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
