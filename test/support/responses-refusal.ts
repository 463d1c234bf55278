/** What OpenAI's responses interface refuses with status 400, as far as an agent can do it wrong. */

import { modelRefusals } from "./openai-model-rules.ts";

type Fields = Readonly<Record<string, unknown>>;

const safeName = /^[a-zA-Z0-9_-]{1,64}$/;

const known = [
  "model",
  "stream",
  "store",
  "include",
  "max_output_tokens",
  "temperature",
  "reasoning",
  "instructions",
  "prompt_cache_key",
  "tools",
  "input",
];

/** Why the server would refuse a body; absent where it would not. */
export function refusalOf(text: string): string | undefined {
  const body = parse(text);
  if (!isFields(body)) return "We could not parse the JSON body of your request.";
  // JSON.stringify escapes halves of surrogate pairs and nothing else this way.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body))) return "no low surrogate in string";
  return [...refusals(body)][0];
}

function* refusals(body: Fields): Generator<string> {
  const { model, stream = false, store, instructions, tools, max_output_tokens: limit } = body;
  const extra = Object.keys(body).find((field) => !known.includes(field));
  if (extra !== undefined) yield `Unknown parameter: '${extra}'.`;
  if (typeof model !== "string" || model === "") yield "Missing required parameter: 'model'.";
  if (typeof stream !== "boolean") yield "stream: expected a boolean";
  // The server would keep what is said for 30 days.
  if (store !== false) yield "store: expected false";
  const { prompt_cache_key: key = "key" } = body;
  if (typeof key !== "string" || key.length > 64) yield "Invalid 'prompt_cache_key': string too long.";
  if (instructions !== undefined && isBlank(instructions)) yield "instructions: expected a text";
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) >= 16)) {
    yield "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.";
  }
  if (tools !== undefined) yield* toolRefusals(tools);
  yield* thoughtRefusals(body);
  yield* itemRefusals(listOf(body["input"]).map(fieldsOf));
}

function* toolRefusals(tools: unknown): Generator<string> {
  const list = listOf(tools).map(fieldsOf);
  if (list.length === 0) yield "tools: [] is too short";
  for (const [place, { type, name, description = "", parameters, strict, ...more }] of list.entries()) {
    if (type !== "function") yield `tools[${place}].type: expected 'function'`;
    if (!safeName.test(String(name))) yield `Invalid 'tools[${place}].name': does not match '${safeName.source}'`;
    if (typeof description !== "string") yield `tools[${place}].description: expected a string`;
    if (fieldsOf(parameters)["type"] !== "object") yield `tools[${place}].parameters: schema must be an object`;
    // Without it the schema would count as strict, and most would be refused.
    if (strict !== false)
      yield `tools[${place}].strict: 'additionalProperties' is required to be supplied and to be false`;
    if (Object.keys(more).length > 0) yield `Unknown parameter: 'tools[${place}].${Object.keys(more)[0]}'.`;
  }
  if (new Set(list.map(({ name }) => name)).size < list.length) yield "tools: names must be unique";
}

/** Models before GPT-5, but for o1 and its successors, do not think. */
function* thoughtRefusals({ model, include, reasoning, temperature, input }: Fields): Generator<string> {
  const isThoughtless = /^(?:ft:)?(?:gpt-[34]|chatgpt-)/.test(String(model));
  if (isThoughtless && listOf(input).some((item) => fieldsOf(item)["type"] === "reasoning")) {
    yield "Reasoning input items can only be provided to a reasoning or computer use model.";
  }
  if (include !== undefined && JSON.stringify(include) !== '["reasoning.encrypted_content"]') {
    yield "include: unknown value";
  }
  if (include !== undefined && isThoughtless) yield "Encrypted content is not supported with this model.";
  if (reasoning !== undefined && isThoughtless) {
    yield "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
  }
  yield* reasoningRefusals(reasoning);
  yield* modelRefusals({ model, temperature, effort: fieldsOf(reasoning)["effort"] });
}

function* reasoningRefusals(reasoning: unknown): Generator<string> {
  const { effort, summary, ...more } = fieldsOf(reasoning);
  if (effort !== undefined && isBlank(effort)) yield "reasoning.effort: expected a text";
  if (summary !== undefined && summary !== "auto") yield "reasoning.summary: expected 'auto'";
  if (Object.keys(more).length > 0) yield `Unknown parameter: 'reasoning.${Object.keys(more)[0]}'.`;
}

function* itemRefusals(items: readonly Fields[]): Generator<string> {
  if (items.length === 0) yield "One of 'input' or 'previous_response_id' must be provided.";
  for (const [place, item] of items.entries()) {
    const problem = itemChecks[String(item["type"])]?.(item) ?? "unknown type";
    if (problem !== false) yield `Invalid 'input[${place}]': ${problem}`;
  }
  yield* outputRefusals(items);
  yield* thinkingRefusals(items);
}

/** What is wrong with an item of each type. */
const itemChecks: Readonly<Record<string, (item: Fields) => string | false>> = {
  message: messageProblem,
  function_call: ({ type, call_id, name, arguments: json, ...more }) => {
    if (!isCallId(call_id)) return `call_id: expected 1 to 64 characters, got ${call_id}`;
    if (!safeName.test(String(name))) return `name: does not match '${safeName.source}'`;
    if (typeof json !== "string" || !isFields(parse(json))) return "arguments: expected the text of an object";
    return unknownField(more);
  },
  function_call_output: ({ type, call_id, output, ...more }) => {
    if (!isCallId(call_id)) return `call_id: expected 1 to 64 characters, got ${call_id}`;
    return (
      (typeof output === "string" ? isBlank(output) && "output: must not be empty" : partsProblem(output)) ||
      unknownField(more)
    );
  },
  reasoning: ({ type, id, summary, encrypted_content, ...more }) => {
    if (!/^rs_./.test(String(id))) return "id: expected an id that begins with 'rs'";
    if (!Array.isArray(summary)) return "Missing required parameter: 'summary'.";
    if (summary.some((part) => fieldsOf(part)["type"] !== "summary_text")) return "summary: expected texts";
    if (isBlank(encrypted_content))
      return `Item with id '${id}' not found. Items are not persisted when 'store' is set to false.`;
    return unknownField(more);
  },
};

function messageProblem({ type, role, content, phase, ...more }: Fields): string | false {
  if (role === "user" || role === "developer")
    return partsProblem(content) || (phase !== undefined && "phase: for the assistant alone") || unknownField(more);
  if (role !== "assistant") return `role: unexpected ${role}`;
  if (phase !== undefined && phase !== "commentary" && phase !== "final_answer") return "phase: unknown value";
  const parts = listOf(content).map(fieldsOf);
  const isWrong = parts.some(
    (part) => part["type"] !== "output_text" || isBlank(part["text"]) || !Array.isArray(part["annotations"]),
  );
  return parts.length === 0 || isWrong ? "content: expected parts of type 'output_text'" : unknownField(more);
}

/** Blank texts are this server's rule. */
function partsProblem(content: unknown): string | false {
  const parts = listOf(content).map(fieldsOf);
  if (parts.length === 0) return "content: expected a list of parts";
  const bad = parts.find(({ type, text, image_url, detail }) => {
    if (type === "input_text") return isBlank(text);
    const isImage = /^data:image\/\w+;base64,[\w+/=]+$/.test(String(image_url));
    return type !== "input_image" || !isImage || (detail !== undefined && !/^(?:auto|low|high)$/.test(String(detail)));
  });
  return bad !== undefined && `content: bad part ${bad["type"]}`;
}

/** Every call has its output before anything else is said. */
function* outputRefusals(items: readonly Fields[]): Generator<string> {
  let open: unknown[] = [];
  let isAnswering = false;
  for (const item of items) {
    const { type, call_id: id } = item;
    const isOutput = type === "function_call_output";
    if (open.length > 0 && !isOutput && !(isAnswering && isAnswer(item))) yield withoutOutput(open);
    if (type === "function_call") open.push(id);
    if (isOutput && !open.includes(id)) yield `No tool call found for function call output with call_id ${id}.`;
    if (isOutput) open = open.filter((one) => one !== id);
    isAnswering = !isOutput;
  }
  if (open.length > 0) yield withoutOutput(open);
  const ids = items.flatMap(({ type, call_id: id }) => (type === "function_call" ? [id] : []));
  if (new Set(ids).size < ids.length) yield "Duplicate call_id";
}

/** Thinking is followed by what it led to. */
function* thinkingRefusals(items: readonly Fields[]): Generator<string> {
  for (const [place, { type, id }] of items.entries()) {
    if (type === "reasoning" && !isAnswer(items[place + 1] ?? {})) {
      yield `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    }
  }
}

/** Whether an item is of an answer. */
const isAnswer = ({ type, role }: Fields): boolean =>
  type === "reasoning" || type === "function_call" || role === "assistant";

const withoutOutput = ([id]: readonly unknown[]): string => `No tool output found for function call ${id}.`;

const isCallId = (id: unknown): boolean => typeof id === "string" && id.length > 0 && id.length <= 64;

const isBlank = (text: unknown): boolean => typeof text !== "string" || text.trim() === "";

function unknownField(more: Fields): string | false {
  const [extra] = Object.keys(more);
  return extra !== undefined && `Unknown parameter: '${extra}'.`;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
