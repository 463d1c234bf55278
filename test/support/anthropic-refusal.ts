/** What the real Messages API refuses with status 400, as far as an agent can do it wrong. */

type Fields = Readonly<Record<string, unknown>>;

const bodyFields = [
  "model",
  "max_tokens",
  "stream",
  "thinking",
  "output_config",
  "temperature",
  "tools",
  "system",
  "messages",
];
const efforts: readonly unknown[] = ["low", "medium", "high", "xhigh", "max"];
const safeName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Why the API would refuse a body, in its words; absent where it would not. */
export function refusalOf(text: string, version = "2026-10-21"): string | undefined {
  const body = parse(text);
  if (body === undefined) return "The request body is not valid JSON: unexpected character";
  // JSON.stringify escapes halves of surrogate pairs and nothing else this way.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body)))
    return "The request body is not valid JSON: no low surrogate in string";
  return [...refusals(fieldsOf(body), version)][0];
}

function* refusals(body: Fields, version: string): Generator<string> {
  const extra = Object.keys(body).find((field) => !bodyFields.includes(field));
  if (extra !== undefined) yield `${extra}: Extra inputs are not permitted`;
  if (typeof body["model"] !== "string" || body["model"] === "") yield "model: Field required";
  if (!Number.isInteger(body["max_tokens"]) || Number(body["max_tokens"]) < 1) yield "max_tokens: Field required";
  if ("stream" in body && typeof body["stream"] !== "boolean") yield "stream: Input should be a valid boolean";
  yield* temperatureRefusals(body, version);
  yield* effortRefusals(body);
  yield* thinkingRefusals(body);
  yield* systemRefusals(body["system"]);
  yield* toolRefusals(body);
  yield* messageRefusals(body["messages"]);
  const points = JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0;
  if (points > 4) yield `A maximum of 4 blocks with cache_control may be provided. Found ${points}.`;
}

/** The API has no temperature since its version 2026-10-21; servers of other models have one. */
function* temperatureRefusals({ model, temperature }: Fields, version: string): Generator<string> {
  if (temperature === undefined) return;
  if (String(model).startsWith("claude-") && version >= "2026-10-21")
    yield "temperature: Extra inputs are not permitted";
  if (!(Number(temperature) >= 0 && Number(temperature) <= 1)) yield "temperature: range: 0..1";
}

/** Which types of thinking models refuse, as the API's documentation lists them. */
const refusedThinking: readonly { readonly models: RegExp; readonly types: readonly string[] }[] = [
  { models: /^claude-(?:haiku-4-5|sonnet-4-5|opus-4-5|opus-4-1|3-7)/, types: ["adaptive"] },
  { models: /^claude-(?:opus-4-7|opus-4-8|opus-5|sonnet-5|haiku-5-5|fable|mythos-5)/, types: ["enabled"] },
  { models: /^claude-(?:opus-5-5|sonnet-5-5|fable|mythos-5)/, types: ["disabled"] },
  { models: /^claude-(?!sonnet-5-5)/, types: ["between_tools"] },
];

/** Models that know no effort. */
const effortless = /^claude-(?:haiku-4-5|sonnet-4-5|opus-4-1|3-7)/;

function* effortRefusals({ model, output_config }: Fields): Generator<string> {
  if (output_config === undefined) return;
  if (!efforts.includes(fieldsOf(output_config)["effort"]))
    yield "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'";
  if (effortless.test(String(model))) yield "This model does not support the effort parameter.";
}

function* thinkingRefusals({ model, thinking, max_tokens, temperature }: Fields): Generator<string> {
  if (thinking === undefined) return;
  const { type, budget_tokens: budget, display, ...extra } = fieldsOf(thinking);
  if (display !== undefined && (type !== "adaptive" || !["summarized", "omitted"].includes(String(display))))
    yield `thinking.${type}.display: Input should be 'summarized' or 'omitted'`;
  if (!["adaptive", "disabled", "enabled", "between_tools"].includes(String(type)))
    yield "thinking: Input tag does not match";
  const isRefused = refusedThinking.some(
    ({ models, types }) => models.test(String(model)) && types.includes(String(type)),
  );
  if (isRefused) yield `"thinking.type.${type}" is not supported for this model.`;
  if (Object.keys(extra).length > 0) yield `thinking.${type}: Extra inputs are not permitted`;
  if (type !== "disabled" && temperature !== undefined && temperature !== 1)
    yield "`temperature` may only be set to 1 when thinking is enabled.";
  if (type !== "enabled" && budget !== undefined)
    yield `thinking.${type}.budget_tokens: Extra inputs are not permitted`;
  if (type !== "enabled") return;
  if (!Number.isInteger(budget) || Number(budget) < 1024)
    yield "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  if (Number(budget) >= Number(max_tokens)) yield "`max_tokens` must be greater than `thinking.budget_tokens`.";
}

function* systemRefusals(system: unknown): Generator<string> {
  if (system === undefined || typeof system === "string") return;
  if (!Array.isArray(system)) yield "system: Input should be a valid list";
  for (const [place, block] of listOf(system).entries()) {
    const { type, text } = fieldsOf(block);
    if (type !== "text" || isBlank(text)) yield `system.${place}: text content blocks must be non-empty`;
  }
}

function* toolRefusals({ tools }: Fields): Generator<string> {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) yield "tools: Input should be a valid list";
  const names = listOf(tools).map((tool) => fieldsOf(tool)["name"]);
  for (const [place, tool] of listOf(tools).entries()) {
    const { name, input_schema } = fieldsOf(tool);
    if (typeof name !== "string" || !safeName.test(name))
      yield `tools.${place}.name: String should match pattern '${safeName.source}'`;
    if (fieldsOf(input_schema)["type"] !== "object") yield `tools.${place}.input_schema.type: Input should be 'object'`;
  }
  if (new Set(names).size < names.length) yield "tools: Tool names must be unique.";
}

function* messageRefusals(messages: unknown): Generator<string> {
  const list = listOf(messages).map(messageOf);
  if (list.length === 0) yield "messages: at least one message is required";
  if (list[0]?.role !== "user") yield 'messages: first message must use the "user" role';
  const ids = new Set<unknown>();
  for (const [place, message] of list.entries()) {
    yield* contentRefusals(message, `messages.${place}`);
    yield* pairingRefusals(message, { place, previous: list[place - 1], next: list[place + 1] });
    for (const { id } of usesOf(message)) {
      if (ids.has(id)) yield `messages.${place}: \`tool_use\` ids must be unique`;
      ids.add(id);
    }
  }
}

interface WireMessage {
  readonly role: unknown;
  readonly content: readonly Fields[];
}

function messageOf(value: unknown): WireMessage {
  const { role, content } = fieldsOf(value);
  return {
    role,
    content: typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(fieldsOf),
  };
}

const blockTypes: Readonly<Record<string, readonly unknown[]>> = {
  user: ["text", "image", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
};

function* contentRefusals({ role, content }: WireMessage, place: string): Generator<string> {
  const types = blockTypes[String(role)];
  if (types === undefined) yield `${place}.role: Input should be 'user' or 'assistant'`;
  if (content.length === 0) yield `${place}: all messages must have non-empty content`;
  for (const [index, block] of content.entries()) {
    if (!types?.includes(block["type"]))
      yield `${place}.content.${index}: unexpected block ${block["type"]} for role ${role}`;
    yield* blockRefusals(block, `${place}.content.${index}`);
  }
  if (String(content.at(-1)?.["type"]).endsWith("thinking"))
    yield `${place}: the final block in an assistant message cannot be \`thinking\``;
}

/** What is wrong with a block of each type. */
const blockChecks: Readonly<Record<string, (block: Fields) => string | false>> = {
  text: ({ text }) => isBlank(text) && "text content blocks must contain non-whitespace text",
  thinking: ({ signature }) => isBlank(signature) && "signature: Field required",
  redacted_thinking: ({ data }) => isBlank(data) && "data: Field required",
  image: ({ source }) => fieldsOf(source)["type"] !== "base64" && "source: Input should be base64",
  tool_use: ({ id, name, input }) =>
    (!safeName.test(String(id)) && "id: String should match pattern") ||
    (!safeName.test(String(name)) && "name: String should match pattern") ||
    (!isFields(input) && "input: Input should be a valid dictionary"),
  tool_result: ({ content, is_error }) => is_error === true && errorProblem(content),
};

function errorProblem(content: unknown): string | false {
  if (typeof content === "string" ? isBlank(content) : listOf(content).length === 0)
    return "content cannot be empty if `is_error` is true";
  const isText = listOf(content).every((block) => fieldsOf(block)["type"] === "text");
  return !isText && "all content must be type `text` if `is_error` is true";
}

/** The fields that a block of each type may have. */
const blockFields: Readonly<Record<string, readonly string[]>> = {
  text: ["text", "cache_control"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
  image: ["source", "cache_control"],
  tool_use: ["id", "name", "input", "cache_control"],
  tool_result: ["tool_use_id", "content", "is_error", "cache_control"],
};

function* blockRefusals(block: Fields, place: string): Generator<string> {
  const extra = Object.keys(block).find(
    (field) => field !== "type" && !blockFields[String(block["type"])]?.includes(field),
  );
  if (extra !== undefined) yield `${place}.${block["type"]}.${extra}: Extra inputs are not permitted`;
  const problem = blockChecks[String(block["type"])]?.(block) ?? false;
  if (problem !== false) yield `${place}: ${problem}`;
  if (block["type"] !== "tool_result") return;
  for (const [index, inner] of listOf(block["content"]).entries()) {
    yield* blockRefusals(fieldsOf(inner), `${place}.content.${index}`);
  }
}

interface Neighbours {
  readonly place: number;
  readonly previous: WireMessage | undefined;
  readonly next: WireMessage | undefined;
}

/** Every use is answered by the next message, every result answers the one before, and results stand first. */
function* pairingRefusals(message: WireMessage, { place, previous, next }: Neighbours): Generator<string> {
  if (message.role === previous?.role)
    yield `messages.${place}: roles must alternate (this server's rule: the API would merge them)`;
  const answered = next === undefined ? [] : resultsOf(next).map((block) => block["tool_use_id"]);
  const open = usesOf(message).find(({ id }) => !answered.includes(id));
  if (open !== undefined) {
    yield `messages.${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  }
  const results = resultsOf(message);
  const ids = results.map((block) => block["tool_use_id"]);
  const used = previous === undefined ? [] : usesOf(previous).map(({ id }) => id);
  const stray = ids.find((id) => !used.includes(id));
  if (stray !== undefined)
    yield `messages.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`;
  if (new Set(ids).size < ids.length) yield `messages.${place}: each tool_use must have a single result`;
  const first = message.content.slice(0, results.length).every((block) => block["type"] === "tool_result");
  if (!first) yield `messages.${place}: \`tool_result\` blocks must come first`;
}

function usesOf(message: WireMessage): { readonly id: unknown }[] {
  return message.content.filter((block) => block["type"] === "tool_use").map((block) => ({ id: block["id"] }));
}

function resultsOf(message: WireMessage): Fields[] {
  return message.content.filter((block) => block["type"] === "tool_result");
}

function isBlank(value: unknown): boolean {
  return typeof value !== "string" || value.trim() === "";
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
