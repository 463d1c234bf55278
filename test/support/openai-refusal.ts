/** What real servers of chat completions refuse with status 400, as far as an agent can do it wrong. */

import { modelRefusals } from "./openai-model-rules.ts";
import type { VendorRules } from "./openai-rules.ts";

type Fields = Readonly<Record<string, unknown>>;

const safeName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Why a server of these rules would refuse a body; absent where it would not. */
export function refusalOf(text: string, rules: VendorRules): string | undefined {
  const body = parse(text);
  if (!isFields(body)) return "We could not parse the JSON body of your request.";
  // JSON.stringify escapes halves of surrogate pairs and nothing else this way.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body))) return "no low surrogate in string";
  return [...refusals(body, rules)][0];
}

function* refusals(body: Fields, rules: VendorRules): Generator<string> {
  const { model, stream = false, stream_options, tools } = body;
  const extra = Object.keys(body).find((field) => !rules.fields.includes(field));
  if (extra !== undefined) yield `Unrecognized request argument supplied: ${extra}`;
  if (typeof model !== "string" || model === "") yield "you must provide a model parameter";
  if (typeof stream !== "boolean") yield "stream: expected a boolean";
  if (stream_options !== undefined && stream !== true) yield "stream_options is only allowed when stream is enabled";
  yield* limitRefusals(body);
  if (tools !== undefined) yield* toolRefusals(tools);
  yield* thoughtRefusals(body);
  yield* messageRefusals(listOf(body["messages"]).map(fieldsOf), rules);
}

function* limitRefusals({ max_tokens, max_completion_tokens }: Fields): Generator<string> {
  const limits = [max_tokens, max_completion_tokens].filter((limit) => limit !== undefined);
  if (limits.length > 1) yield "max_tokens and max_completion_tokens cannot both be set";
  if (limits.some((limit) => !Number.isInteger(limit) || Number(limit) < 1)) yield "max_tokens: expected an integer";
}

function* toolRefusals(tools: unknown): Generator<string> {
  const list = listOf(tools).map(fieldsOf);
  if (list.length === 0) yield "[] is too short - 'tools'";
  const functions = list.map((tool) => fieldsOf(tool["function"]));
  for (const [place, { name, description = "", parameters }] of functions.entries()) {
    if (list[place]?.["type"] !== "function") yield `tools.${place}.type: expected 'function'`;
    if (!safeName.test(String(name))) yield `tools.${place}.function.name: does not match '${safeName.source}'`;
    if (typeof description !== "string") yield `tools.${place}.function.description: expected a string`;
    if (fieldsOf(parameters)["type"] !== "object") yield `tools.${place}.function.parameters: schema must be an object`;
  }
  if (new Set(functions.map(({ name }) => name)).size < list.length) yield "tools: names must be unique";
}

/** OpenAI's newer models use tools over this protocol only where they do not think. */
function* thoughtRefusals({ model, tools, reasoning_effort, temperature }: Fields): Generator<string> {
  if (/^gpt-(?:5\.[4-9]|[6-9])/.test(String(model)) && tools !== undefined && reasoning_effort !== "none") {
    yield `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions.`;
  }
  yield* modelRefusals({ model, temperature, effort: reasoning_effort });
}

function* messageRefusals(messages: readonly Fields[], rules: VendorRules): Generator<string> {
  if (messages.length === 0) yield "[] is too short - 'messages'";
  const ids = new Set<unknown>();
  for (const [place, message] of messages.entries()) {
    const problem = roleChecks[String(message["role"])]?.(message, rules) ?? "role: unknown";
    if (problem !== false) yield `messages.${place}: ${problem}`;
    for (const { id } of callsOf(message)) {
      if (ids.has(id)) yield `messages.${place}: duplicate tool_call_id ${id}`;
      ids.add(id);
    }
    yield* orderRefusals(messages, place, rules);
  }
}

/** What is wrong with a message of each role. */
const roleChecks: Readonly<Record<string, (message: Fields, rules: VendorRules) => string | false>> = {
  system: (message) => unknownField(message, ["content"]) || contentProblem(message["content"], false),
  user: (message) => unknownField(message, ["content"]) || contentProblem(message["content"], true),
  tool: (message, { toolImages }) =>
    unknownField(message, ["content", "tool_call_id"]) || contentProblem(message["content"], toolImages),
  assistant: assistantProblem,
};

function assistantProblem(message: Fields, rules: VendorRules): string | false {
  const { content = null, tool_calls, reasoning_content } = message;
  const calls = callsOf(message);
  if (tool_calls !== undefined && calls.length === 0) return "tool_calls: [] is too short";
  if (content === null && calls.length === 0) return "either content or tool_calls must be set";
  if (rules.demandsReasoning && calls.length > 0 && typeof reasoning_content !== "string") {
    return "The reasoning_content in the thinking mode must be passed back to the API.";
  }
  const [first] = calls;
  const signature = fieldsOf(fieldsOf(first?.["extra_content"])["google"])["thought_signature"];
  if (rules.demandsSignature && first !== undefined && typeof signature !== "string") {
    return "Function call is missing a thought_signature in functionCall parts.";
  }
  return (
    unknownField(message, ["content", "tool_calls", ...rules.extras]) ||
    (content !== null && !(content === "" && calls.length > 0) && contentProblem(content, false)) ||
    calls.map((call) => callProblem(call, rules)).find((problem) => problem !== false) ||
    false
  );
}

function callProblem(call: Fields, { callId, extras }: VendorRules): string | false {
  const { name, arguments: json } = fieldsOf(call["function"]);
  if (call["type"] !== "function") return "tool_calls: type: expected 'function'";
  if (typeof call["id"] !== "string" || !callId.test(call["id"])) return `tool_calls: bad id ${call["id"]}`;
  if (!safeName.test(String(name))) return `tool_calls: bad name ${name}`;
  if (typeof json !== "string" || !isFields(parse(json))) return "tool_calls: arguments must be the text of an object";
  const extra = Object.keys(call).find((field) => !["id", "type", "function", ...extras].includes(field));
  return extra !== undefined && `tool_calls: unknown field ${extra}`;
}

function unknownField(message: Fields, known: readonly string[]): string | false {
  const extra = Object.keys(message).find((field) => field !== "role" && !known.includes(field));
  return extra !== undefined && `Additional properties are not allowed ('${extra}' was unexpected)`;
}

/** Blank texts are this server's rule: some vendors refuse them. */
function contentProblem(content: unknown, images: boolean): string | false {
  if (typeof content === "string") return content.trim() === "" && "content: must not be empty";
  const parts = listOf(content).map(fieldsOf);
  if (parts.length === 0) return "content: expected a string or a list of parts";
  const bad = parts.find(({ type, text, image_url }) => {
    if (type === "text") return typeof text !== "string" || text.trim() === "";
    const { url } = fieldsOf(image_url);
    return !images || type !== "image_url" || !/^data:image\/\w+;base64,[\w+/=]+$/.test(String(url));
  });
  return bad !== undefined && `content: bad part ${bad["type"]}`;
}

/** Every call is answered once and directly after its message, every result answers one of those calls. */
function* orderRefusals(messages: readonly Fields[], place: number, rules: VendorRules): Generator<string> {
  const message = messages[place] ?? {};
  const { role, tool_call_id: id } = message;
  const before = messages.slice(0, place);
  if (role === "tool") {
    const since = before.findLastIndex((earlier) => earlier["role"] !== "tool");
    const isCalled = callsOf(before[since] ?? {}).some((call) => call["id"] === id);
    const isAnswered = before.slice(since + 1).some((earlier) => earlier["tool_call_id"] === id);
    if (!isCalled || isAnswered) yield `messages.${place}: 'tool' must answer a preceding message with 'tool_calls'`;
  }
  const results = runOfResults(messages.slice(place + 1));
  const open = callsOf(message).find((call) => !results.includes(call["id"]));
  if (open !== undefined)
    yield `An assistant message with 'tool_calls' must be followed by tool messages: ${open["id"]}`;
  if (role === "system" && place > 0) yield `messages.${place}: the system message comes first`;
  if (role === "user" && before.at(-1)?.["role"] === "tool" && !rules.userAfterTool) {
    yield "Unexpected role 'user' after role 'tool'";
  }
}

function runOfResults(messages: readonly Fields[]): readonly unknown[] {
  const end = messages.findIndex(({ role }) => role !== "tool");
  return messages.slice(0, end < 0 ? undefined : end).map((message) => message["tool_call_id"]);
}

function callsOf(message: Fields): readonly Fields[] {
  return listOf(message["tool_calls"]).map(fieldsOf);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
