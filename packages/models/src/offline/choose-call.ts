import type { JsonObject } from "../json.ts";
import type { ToolSchema } from "../types/language-model.ts";
import { guessArguments, parametersOf, readArguments } from "./tool-arguments.ts";

/** A call, or a text that says why there is none; it is empty if the prompt points to no tool. */
export type Choice = { readonly tool: ToolSchema; readonly arguments: JsonObject } | string;

/** Never guesses a tool that changes things. */
const onlyExplicit: readonly string[] = ["bash", "write_file"];
const emptyWords =
  /^(?:an?|the|is|are|was|be|do|does|did|can|could|will|would|should|to|of|in|on|at|by|for|from|with|about|and|or|not?|its?|this|that|what|which|who|how|when|where|why|you|your|my|me|our|we|us|i|please|tell|show|give|get|make|let|use|run|call|tool)$/;

/** Finds the call that a prompt asks for: of the tool that it names, else of the one that shares most words with it. */
export function chooseCall(prompt: string, tools: readonly ToolSchema[]): Choice {
  const named = firstNamed(prompt, tools);
  const tool = named?.tool ?? likeliest(prompt, tools);
  if (tool === undefined) return "";
  const written = named && readArguments(named.rest, tool);
  const args = written ?? (onlyExplicit.includes(tool.name) ? {} : guessArguments(prompt, tool));
  const required = parametersOf(tool).filter((parameter) => parameter.required);
  const missing = required.filter(({ name }) => args[name] === undefined).map(({ name }) => name);
  if (missing.length === 0) return { tool, arguments: args };
  const form = required.map(({ name, type }) => `${name}=${type === "string" ? '"…"' : type}`).join(" ");
  return `${tool.name} needs ${missing.join(" and ")}. Ask for it as in: ${tool.name} ${form}`;
}

/** The tool whose name comes first in a prompt, with what follows the name. */
function firstNamed(prompt: string, tools: readonly ToolSchema[]): { tool: ToolSchema; rest: string } | undefined {
  const found = tools.flatMap((tool) => {
    const match = new RegExp(`(?<![\\w-])${RegExp.escape(tool.name)}(?![\\w-])`).exec(prompt);
    return match === null ? [] : [{ tool, rest: prompt.slice(match.index + tool.name.length) }];
  });
  return found.sort((a, b) => b.rest.length - a.rest.length)[0];
}

/** The tool that shares most words with a prompt, if no other shares as many; a word of its name counts double. */
function likeliest(prompt: string, tools: readonly ToolSchema[]): ToolSchema | undefined {
  const asked = wordsOf(prompt);
  const score = ({ name, description }: ToolSchema): number =>
    asked.intersection(wordsOf(name)).size + asked.intersection(wordsOf(`${name} ${description}`)).size;
  const [best, next] = tools.map((tool) => ({ tool, score: score(tool) })).sort((a, b) => b.score - a.score);
  if (best === undefined || best.score <= (next?.score ?? 0)) return undefined;
  return onlyExplicit.includes(best.tool.name) ? undefined : best.tool;
}

/** The words of a text that mean something, in lower case and without the "s" of a plural. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !emptyWords.test(word)).map((word) => word.replace(/(?<=..)s$/, "")));
}
