import { Server, type Tool } from "@modelcontextprotocol/server";

/** A build of the memory service: they differ in the arguments and limits of their tools. */
export type ServiceBuild = "first" | "second";

interface Entry {
  readonly entryId: string;
  readonly memoryId: string;
  readonly creationTime: string;
  readonly conversationTime?: string;
  readonly rawEntry: string;
  readonly summary: string;
  readonly tags: unknown;
}

interface Memory {
  readonly memoryId: string;
  readonly vaultId: string;
  readonly title: string;
  readonly memoryType: string;
  readonly creationTime: string;
  readonly entries: Entry[];
  readonly contexts: string[];
}

/** What a service keeps, for all its connections. */
export interface ServiceData {
  readonly vaults: { readonly vaultId: string; readonly title: string }[];
  readonly memories: Memory[];
  /** Writes that were accepted and are not done. */
  readonly queued: (() => void)[];
  /** The names and arguments of all calls. */
  readonly calls: (readonly [name: string, args: Readonly<Record<string, unknown>>])[];
}

export const newServiceData = (): ServiceData => ({ vaults: [], memories: [], queued: [], calls: [] });

type Arguments = Readonly<Record<string, unknown>>;

const PLACEHOLDER =
  "This is default context that's created with the memory. Instructions for AI Agent: Provide relevant context as soon as it's available.";

/**
 * A memory service in the shapes of the real one, which refuses what its schemas do not allow. Writes are done later, or by
 * `await_consistency`.
 */
export function memoryService(build: ServiceBuild, data: ServiceData): Server {
  const server = new Server({ name: `memory-${build}`, version: "1.0.0" }, { capabilities: { tools: {} } });
  const tools = toolsOf(build);
  server.setRequestHandler("tools/list", async () => ({ tools: [...tools] }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args = {} } }) => {
    data.calls.push([name, args]);
    try {
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new Error(`unknown tool ${name}`);
      check(tool, args);
      const answer = ANSWERS[name]?.(args, { build, data });
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      return { content: [{ type: "text", text }] };
    } catch (error) {
      return { content: [{ type: "text", text: error instanceof Error ? error.message : "failed" }], isError: true };
    }
  });
  return server;
}

const text = (more: object = {}) => ({ type: "string", ...more });
const whole = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });

function toolsOf(build: ServiceBuild): readonly Tool[] {
  const isSecond = build === "second";
  const place = { vault_id: text(), memory_id: text() };
  const tool = (
    name: string,
    properties: Tool["inputSchema"]["properties"],
    optional: readonly string[] = [],
  ): Tool => ({
    name,
    description: name,
    inputSchema: {
      type: "object",
      ...(properties && { properties }),
      required: Object.keys(properties ?? {}).filter((one) => !optional.includes(one)),
      additionalProperties: false,
    },
  });
  const title = text(isSecond ? { maxLength: 50 } : {});
  return [
    tool("create_vault", { title, description: text() }, ["description"]),
    tool("list_vaults", {}),
    tool("list_memories", { vault_id: text() }),
    tool("create_memory_in_vault", { vault_id: text(), title, memory_type: text(), description: text() }, [
      "description",
    ]),
    tool("get_memory", place),
    tool(
      "add_entry",
      {
        ...place,
        raw_entry: text(isSecond ? { maxLength: 1000 } : {}),
        summary: text(isSecond ? { maxLength: 512 } : {}),
        tags: { type: "object", additionalProperties: text(isSecond ? { maxLength: 40 } : {}) },
        ...(isSecond && { conversation_time: text() }),
      },
      ["tags", "conversation_time"],
    ),
    // The first build declares a text, and ignores one.
    tool("list_entries", { ...place, limit: isSecond ? whole(1, 50) : text(), before: text(), after: text() }, [
      "limit",
      "before",
      "after",
    ]),
    tool("get_entry", { ...place, entry_id: text() }),
    tool("put_context", { ...place, content: text({ maxLength: isSecond ? 5_000 : 65_536 }) }),
    tool("get_context", place),
    tool("await_consistency", { memory_id: text() }),
    isSecond
      ? tool("search_memories", { memory_id: text(), query: text(), top_ke: whole(1, 25), top_kc: whole(1, 10) })
      : tool("search_memories", { memory_id: text(), query: text(), top_k: { type: "number" } }, ["top_k"]),
    tool("get_default_prompts", { memory_type: text() }),
  ];
}

/** Throws what is wrong with the arguments of a call, by the schema of its tool. */
function check({ inputSchema: { properties = {}, required = [] } }: Tool, args: Arguments): void {
  for (const name of required) if (!(name in args)) throw new Error(`${name} is required`);
  for (const [name, value] of Object.entries(args)) checkValue(name, value, properties[name]);
}

function checkValue(name: string, value: unknown, given: unknown): void {
  if (typeof given !== "object" || given === null) throw new Error(`invalid: unknown argument ${name}`);
  const schema: Readonly<Record<string, unknown>> = { ...given };
  if (typeof value === "number") checkNumber(name, value, schema);
  else if (typeof value !== schema["type"]) throw new Error(`invalid: ${name} must be ${String(schema["type"])}`);
  if (typeof value === "string" && value.length > Number(schema["maxLength"] ?? value.length))
    throw new Error(`invalid: ${name} is too long`);
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  for (const [key, inner] of members) checkValue(`${name}.${key}`, inner, schema["additionalProperties"]);
}

function checkNumber(name: string, value: number, { type, minimum, maximum }: Arguments): void {
  if (type !== "number" && type !== "integer") throw new Error(`invalid: ${name} must be ${String(type)}`);
  if (value < Number(minimum ?? value) || value > Number(maximum ?? value))
    throw new Error(`invalid: ${name} is out of range`);
}

interface Service {
  readonly build: ServiceBuild;
  readonly data: ServiceData;
}

let ids = 0;
let time = Date.UTC(2026, 0, 1);

/** Later than all before. */
function nextTime(): string {
  time += 1000;
  return new Date(time).toISOString();
}

type Answer = (args: Arguments, service: Service) => unknown;

const stringIn = (args: Arguments, key: string): string => String(args[key] ?? "");

function memoryIn(args: Arguments, { memories }: ServiceData): Memory {
  const found = memories.find(({ memoryId }) => memoryId === args["memory_id"]);
  if (!found) throw new Error("failed: memory not found");
  return found;
}

const shown = ({ entries: _entries, contexts: _contexts, ...memory }: Memory): object => memory;

const ANSWERS: Readonly<Record<string, Answer>> = {
  create_vault: (args, { data }) => {
    const title = stringIn(args, "title");
    if (!/^[a-z0-9-]{1,50}$/.test(title)) throw new Error("invalid title: lowercase and hyphens, at most 50");
    if (data.vaults.some((vault) => vault.title === title)) throw new Error("failed: vault already exists");
    const vault = { vaultId: `vault-${++ids}`, title };
    data.vaults.push(vault);
    return vault;
  },
  list_vaults: (_args, { build, data: { vaults } }) => (build === "first" ? vaults : { vaults, count: vaults.length }),
  list_memories: (args, { data }) =>
    data.memories
      .filter(({ vaultId }) => vaultId === args["vault_id"])
      .map(({ memoryId, title }) => ({ memoryId, title })),
  create_memory_in_vault: (args, { data }) => {
    if (!data.vaults.some(({ vaultId }) => vaultId === args["vault_id"])) throw new Error("failed: vault not found");
    const made: Memory = {
      ...{ memoryId: `memory-${++ids}`, vaultId: stringIn(args, "vault_id"), title: stringIn(args, "title") },
      ...{ memoryType: stringIn(args, "memory_type"), creationTime: nextTime(), entries: [], contexts: [] },
    };
    data.memories.push(made);
    return shown(made);
  },
  get_memory: (args, { data }) => shown(memoryIn(args, data)),
  add_entry: (args, { data }) => {
    const { entries, memoryId } = memoryIn(args, data);
    const { tags, conversation_time: said } = args;
    data.queued.push(() => {
      entries.unshift({
        ...{ entryId: `entry-${++ids}`, memoryId, creationTime: nextTime(), tags },
        ...{ rawEntry: stringIn(args, "raw_entry"), summary: stringIn(args, "summary") },
        ...(said !== undefined && { conversationTime: String(said) }),
      });
    });
    return "enqueued";
  },
  list_entries: (args, { data }) => {
    const { before, after } = args;
    const limit = typeof args["limit"] === "number" ? args["limit"] : 25;
    if (before !== undefined && after !== undefined) throw new Error("provide only one of before or after");
    const entries = memoryIn(args, data)
      .entries.filter(({ creationTime }) => before === undefined || creationTime < String(before))
      .filter(({ creationTime }) => after === undefined || creationTime > String(after))
      .slice(0, limit);
    return { entries, count: entries.length, applied_limit: limit };
  },
  get_entry: (args, { data }) => {
    const found = memoryIn(args, data).entries.find(({ entryId }) => entryId === args["entry_id"]);
    if (!found) throw new Error("failed to get entry: entry not found");
    return found;
  },
  put_context: (args, { data }) => {
    const { contexts } = memoryIn(args, data);
    data.queued.push(() => {
      contexts.unshift(stringIn(args, "content"));
    });
    return "enqueued";
  },
  get_context: (args, { build, data }) => {
    const [newest] = memoryIn(args, data).contexts;
    if (newest !== undefined) return newest;
    if (build === "first") return PLACEHOLDER;
    throw new Error("context not found");
  },
  await_consistency: (_args, { data }) => {
    for (const write of data.queued.splice(0)) write();
    return "consistent";
  },
  search_memories: (args, { data }) => {
    const words = stringIn(args, "query").toLowerCase().split(/\W+/);
    const scoreOf = (text: string): number => words.filter((word) => text.toLowerCase().includes(word)).length;
    const { entries: all, contexts } = memoryIn(args, data);
    const entries = all
      .map((entry) => ({ ...entry, score: scoreOf(entry.rawEntry) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score);
    return { entries, count: entries.length, latestContext: contexts[0] ?? "" };
  },
  get_default_prompts: (args) => ({
    templates: {
      context_prompt: `context of ${stringIn(args, "memory_type")}`,
      entry_capture_prompt: "capture",
      summary_prompt: "summarise",
    },
  }),
};
