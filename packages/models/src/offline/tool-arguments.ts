import { type JsonObject, type JsonValue, parseJsonObject, recordOf } from "../json.ts";
import type { ToolSchema } from "../types/language-model.ts";

const name = String.raw`(?:St\. )?[\p{Lu}\p{Lo}](?:[\p{L}\p{M}\p{N}'’_-]|[.:/](?=[\p{L}\p{N}/]))*`;
const before = String.raw`(?<![\p{L}\p{N}])(?:[Ii]n|[Ff]or|[Oo]f)\s+(?:(?:the|an?|my)\s+)?`;
const quoted = /"([^"]+)"|“([^”]+)”|\u0060([^\u0060]+)\u0060|(?<!\p{L})'([^']+)'(?!\p{L})/gu;
const named = new RegExp(`${before}(${name}(?:\\s+(?:(?:de|del|la|am|of|upon)\\s+)?${name})*)`, "gu");
const plain = new RegExp(`${before}(?!(?:today|tomorrow|now|me|us|you|it|this)\\b)([\\p{Ll}\\p{N}./~]\\S*)`, "gu");

/** The parameters of a tool, each with its JSON Schema type. */
export function parametersOf({ parameters }: ToolSchema): { name: string; type: string; required: boolean }[] {
  const must = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  return Object.entries(recordOf(parameters["properties"])).map(([name, said]) => {
    return { name, type: `${recordOf(said)["type"] ?? "string"}`.replace(",null", ""), required: must.includes(name) };
  });
}

/** Arguments written out behind a tool's name, as `{…}` or `key=value …`; absent if the text has none. */
export function readArguments(text: string, tool: ToolSchema): JsonObject | undefined {
  if (/^\s*\{/.test(text)) return parseJsonObject(text.slice(0, text.lastIndexOf("}") + 1)) ?? {};
  const types = new Map(parametersOf(tool).map(({ name, type }) => [name, type]));
  const pattern = /(?<![^\s,(])([\p{L}\p{N}_.-]+)=(?:"([^"]*)"|'([^']*)'|(\S*[^\s,;)]))/gu;
  const pairs = [...text.matchAll(pattern)].filter(([, key = ""]) => types.has(key));
  const entries = pairs.map(([, key = "", ...texts]) => [key, typed(texts.find(Boolean) ?? "", types.get(key))]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Arguments from the words of a prompt; what the words do not give is left out. Optional texts are never guessed. */
export function guessArguments(prompt: string, tool: ToolSchema): JsonObject {
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
