import { type JsonObject, type JsonValue, parseJsonObject, recordOf } from "../json.ts";
import { MessageBuilder } from "../message-builder.ts";
import type { LanguageModel, ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { Message } from "../types/message.ts";

const notice = "No language model is configured (offline): set ANTHROPIC_API_KEY or pass --model (see mdx-ai models).";

/** A model that understands next to nothing but needs no key and no network: the same request gets the same answer. */
export function openOfflineModel(): LanguageModel {
  return {
    provider: "offline",
    name: "offline",
    notice,
    async *stream(request, signal) {
      const builder = new MessageBuilder({ provider: "offline", model: "offline" });
      if (signal.aborted) builder.abort();
      else answer(request, builder);
      yield* builder.take();
    },
  };
}

function answer({ messages, tools, system }: ModelRequest, builder: MessageBuilder): void {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const results = messages.slice(asked + 1).filter((message) => message.role === "toolResult");
  const outcomes = results.map((result) => (result.isError ? `${result.toolName} failed: ` : "") + textOf(result));
  const choice = results.length > 0 ? outcomes.join("\n\n") || "(no text)" : chooseCall(textOf(messages[asked]), tools);
  builder.start();
  if (typeof choice === "string") {
    builder.append(builder.openText(), choice || introduction({ tools, system }));
    builder.finish("stop");
  } else {
    builder.openToolCall({ id: `offline-${messages.length}`, name: choice.tool.name, input: choice.arguments });
    builder.finish("toolUse");
  }
}

/** A skill in either catalog: of XML, or of a line for each skill. */
const SKILL = /<skill>\s*<name>([^<]*)<|(?<=^You have access to the following skills:\n\n(?:- .*\n)*)- \*\*(.*?)\*\*/gm;
function introduction({ tools, system }: Pick<ModelRequest, "tools" | "system">): string {
  const skills = [...system.matchAll(SKILL)].map(([, ofXml, ofTiers]) => `/skill:${ofXml ?? ofTiers}`);
  return `I am the offline model and can only call a tool that your words clearly point to.\n
Tools: ${tools.map(({ name }) => name).join(", ") || "none"}. Ask for one by its name, as in: tool_name key=value\n
Skills: ${skills.join(", ") || "none"}.`;
}

function textOf(message: Message | undefined): string {
  const texts = (message?.content ?? []).map((block) => (block.type === "text" ? block.text : ""));
  return texts.join("\n").trim();
}

/** A call, or a text that says why there is none; it is empty if the prompt points to no tool. */
type Choice = { readonly tool: ToolSchema; readonly arguments: JsonObject } | string;

/** Never guesses a tool that changes things. */
const onlyExplicit: readonly string[] = ["bash", "write_file"];
const emptyWords =
  /^(?:an?|the|is|are|was|be|do|does|did|can|could|will|would|should|to|of|in|on|at|by|for|from|with|about|and|or|not?|its?|this|that|what|which|who|how|when|where|why|you|your|my|me|our|we|us|i|please|tell|show|give|get|make|let|use|run|call|tool)$/;

/** Finds the call that a prompt asks for: of the tool that it names, else of the one that shares most words with it. */
function chooseCall(prompt: string, tools: readonly ToolSchema[]): Choice {
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

const name = String.raw`(?:St\. )?[\p{Lu}\p{Lo}](?:[\p{L}\p{M}\p{N}'’_-]|[.:/](?=[\p{L}\p{N}/]))*`;
const before = String.raw`(?<![\p{L}\p{N}])(?:[Ii]n|[Ff]or|[Oo]f)\s+(?:(?:the|an?|my)\s+)?`;
const quoted = /"([^"]+)"|“([^”]+)”|\u0060([^\u0060]+)\u0060|(?<!\p{L})'([^']+)'(?!\p{L})/gu;
const named = new RegExp(`${before}(${name}(?:\\s+(?:(?:de|del|la|am|of|upon)\\s+)?${name})*)`, "gu");
const plain = new RegExp(`${before}(?!(?:today|tomorrow|now|me|us|you|it|this)\\b)([\\p{Ll}\\p{N}./~]\\S*)`, "gu");

/** The parameters of a tool, each with its JSON Schema type. */
function parametersOf({ parameters }: ToolSchema): { name: string; type: string; required: boolean }[] {
  const must = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  return Object.entries(recordOf(parameters["properties"])).map(([name, said]) => {
    return { name, type: `${recordOf(said)["type"] ?? "string"}`.replace(",null", ""), required: must.includes(name) };
  });
}

/** Arguments written out behind a tool's name, as `{…}` or `key=value …`; absent if the text has none. */
function readArguments(text: string, tool: ToolSchema): JsonObject | undefined {
  if (/^\s*\{/.test(text)) return parseJsonObject(text.slice(0, text.lastIndexOf("}") + 1)) ?? {};
  const types = new Map(parametersOf(tool).map(({ name, type }) => [name, type]));
  const pattern = /(?<![^\s,(])([\p{L}\p{N}_.-]+)=(?:"([^"]*)"|'([^']*)'|(\S*[^\s,;)]))/gu;
  const pairs = [...text.matchAll(pattern)].filter(([, key = ""]) => types.has(key));
  const entries = pairs.map(([, key = "", ...texts]) => [key, typed(texts.find(Boolean) ?? "", types.get(key))]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Arguments from the words of a prompt; what the words do not give is left out. Optional texts are never guessed. */
function guessArguments(prompt: string, tool: ToolSchema): JsonObject {
  const matches = [quoted, named, plain].flatMap((pattern) => [...prompt.matchAll(pattern)]);
  const said = matches.map((match) => (match.slice(1).find(Boolean) ?? "").replace(/['’]s$|[.,;:!?)]+$/gu, ""));
  const texts = said.filter((text) => text !== tool.name);
  const numbers = [...prompt.matchAll(/(?<![\p{L}\p{N}.-])-?\d+(?:\.\d+)?(?![\p{L}\p{N}])/gu)].map(Number);
  const guessed: Record<string, JsonValue> = {};
  for (const { name: key, type, required } of parametersOf(tool)) {
    const mention = new RegExp(`(?:\\b(no|not|without) )?\\b${RegExp.escape(key)}\\b`, "i").exec(prompt);
    let value: JsonValue | undefined;
    if (type === "boolean" && mention) value = mention[1] === undefined;
    else if (type === "string" && required) value = texts.shift();
    else if (/^(?:number|integer)$/.test(type) && (required || mention)) value = numbers.shift();
    if (value !== undefined) guessed[key] = value;
  }
  return guessed;
}

function typed(text: string, type: string | undefined): JsonValue {
  if (type === "boolean" && /^(?:true|yes|false|no)$/i.test(text)) return /^(?:true|yes)$/i.test(text);
  return /^(?:number|integer)$/.test(type ?? "") && Number.isFinite(Number(text || "?")) ? Number(text) : text;
}
