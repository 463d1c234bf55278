import { type JsonObject, type JsonValue, parseJsonObject, recordOf } from "@mdx-ai/base";
import { MessageBuilder } from "../message-builder.ts";
import { typedText, typedWords } from "../typed-words.ts";
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
  // What modules, skills and the mode add is not the user's.
  const asked = messages.findLastIndex((message) => message.role === "user" && message.origin === undefined);
  const results = messages.slice(asked + 1).filter((message) => message.role === "toolResult");
  const outcomes = results.map((result) => (result.isError ? `${result.toolName} failed: ` : "") + textOf(result));
  const choice =
    results.length > 0 ? outcomes.join("\n\n") || "(no text)" : chooseCall(wordsOf(messages[asked]), tools);
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
  return `I am the offline model and only call a tool that you name.\n
Tools: ${tools.map(({ name }) => name).join(", ") || "none"}. Ask for one by its name, as in: tool_name key=value\n
Skills: ${skills.join(", ") || "none"}.`;
}

/** The user's words, without attachments. */
const wordsOf = (message: Message | undefined): string =>
  message?.role === "user" ? typedWords(typedText(message)) : "";

function textOf(message: Message | undefined): string {
  const texts = (message?.content ?? []).map((block) => (block.type === "text" ? block.text : ""));
  return texts.join("\n").trim();
}

/** A call, or a text that says why there is none; it is empty if the prompt names no tool. */
type Choice = { readonly tool: ToolSchema; readonly arguments: JsonObject } | string;

/** The call of the tool that a prompt names. */
function chooseCall(prompt: string, tools: readonly ToolSchema[]): Choice {
  const named = firstNamed(prompt, tools);
  if (named === undefined) return "";
  const { tool } = named;
  const args = readArguments(named.rest, tool);
  const required = parametersOf(tool).filter((parameter) => parameter.required);
  const missing = required.filter(({ name }) => args[name] === undefined).map(({ name }) => name);
  if (missing.length === 0) return { tool, arguments: args };
  const form = required.map(({ name, type }) => `${name}=${type === "string" ? '"…"' : type}`).join(" ");
  return `${tool.name} needs ${missing.join(" and ")}. Ask like this: ${tool.name} ${form}`;
}

/** The tool whose name comes first in a prompt, with what follows the name. */
function firstNamed(prompt: string, tools: readonly ToolSchema[]): { tool: ToolSchema; rest: string } | undefined {
  const found = tools.flatMap((tool) => {
    const match = new RegExp(`(?<![\\w-])${RegExp.escape(tool.name)}(?![\\w-])`).exec(prompt);
    return match === null ? [] : [{ tool, rest: prompt.slice(match.index + tool.name.length) }];
  });
  return found.sort((a, b) => b.rest.length - a.rest.length)[0];
}

/** The parameters of a tool, each with its JSON Schema type. */
function parametersOf({ parameters }: ToolSchema): { name: string; type: string; required: boolean }[] {
  const must = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  return Object.entries(recordOf(parameters["properties"])).map(([name, said]) => {
    return { name, type: `${recordOf(said)["type"] ?? "string"}`.replace(",null", ""), required: must.includes(name) };
  });
}

/** Arguments written out behind a tool's name, as `{…}` or `key=value …`. */
function readArguments(text: string, tool: ToolSchema): JsonObject {
  if (/^\s*\{/.test(text)) return parseJsonObject(text.slice(0, text.lastIndexOf("}") + 1)) ?? {};
  const types = new Map(parametersOf(tool).map(({ name, type }) => [name, type]));
  const pattern = /(?<![^\s,(])([\p{L}\p{N}_.-]+)=(?:"([^"]*)"|'([^']*)'|(\S*[^\s,;)]))/gu;
  const pairs = [...text.matchAll(pattern)].filter(([, key = ""]) => types.has(key));
  return Object.fromEntries(
    pairs.map(([, key = "", ...texts]) => [key, typed(texts.find(Boolean) ?? "", types.get(key))]),
  );
}

function typed(text: string, type: string | undefined): JsonValue {
  if (type === "boolean" && /^(?:true|yes|false|no)$/i.test(text)) return /^(?:true|yes)$/i.test(text);
  return /^(?:number|integer)$/.test(type ?? "") && Number.isFinite(Number(text || "?")) ? Number(text) : text;
}
