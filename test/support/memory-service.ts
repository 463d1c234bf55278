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
  queued: (() => void)[];
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
      const answer = answerOf(name, args, { build, data });
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
  const tool = (name: string, properties: Record<string, object>, optional: readonly string[] = []): Tool => ({
    name,
    description: name,
    inputSchema: {
      type: "object",
      properties,
      required: Object.keys(properties).filter((one) => !optional.includes(one)),
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
    tool("put_context", { ...place, content: text({ maxLength: 65_536 }) }),
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
  const type = typeof value === "number" ? (schema["type"] === "integer" ? "integer" : "number") : typeof value;
  if (type !== schema["type"]) throw new Error(`invalid: ${name} must be ${String(schema["type"])}`);
  const size = typeof value === "number" ? value : 0;
  if (size < Number(schema["minimum"] ?? size) || size > Number(schema["maximum"] ?? size))
    throw new Error(`invalid: ${name} is out of range`);
  if (typeof value === "string" && value.length > Number(schema["maxLength"] ?? value.length))
    throw new Error(`invalid: ${name} is too long`);
  if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value))
      checkValue(`${name}.${key}`, inner, schema["additionalProperties"]);
}

interface Service {
  readonly build: ServiceBuild;
  readonly data: ServiceData;
}

let ids = 0;
let time = Date.UTC(2026, 0, 1);

/** Later than all before. */
const nextTime = (): string => new Date((time += 1000)).toISOString();

function answerOf(name: string, args: Arguments, { build, data }: Service): unknown {
  const string = (key: string): string => String(args[key] ?? "");
  const memory = (): Memory => {
    const found = data.memories.find(({ memoryId }) => memoryId === args["memory_id"]);
    if (!found) throw new Error("failed: memory not found");
    return found;
  };
  switch (name) {
    case "create_vault": {
      if (!/^[a-z0-9-]{1,50}$/.test(string("title")))
        throw new Error("invalid title: lowercase and hyphens, at most 50");
      if (data.vaults.some(({ title }) => title === args["title"])) throw new Error("failed: vault already exists");
      const vault = { vaultId: `vault-${++ids}`, title: string("title") };
      data.vaults.push(vault);
      return vault;
    }
    case "list_vaults":
      return build === "first" ? data.vaults : { vaults: data.vaults, count: data.vaults.length };
    case "list_memories":
      return data.memories
        .filter(({ vaultId }) => vaultId === args["vault_id"])
        .map(({ memoryId, title }) => ({ memoryId, title }));
    case "create_memory_in_vault": {
      if (!data.vaults.some(({ vaultId }) => vaultId === args["vault_id"])) throw new Error("failed: vault not found");
      const made: Memory = {
        ...{ memoryId: `memory-${++ids}`, vaultId: string("vault_id"), title: string("title") },
        ...{ memoryType: string("memory_type"), creationTime: nextTime(), entries: [], contexts: [] },
      };
      data.memories.push(made);
      return { ...made, entries: undefined, contexts: undefined };
    }
    case "get_memory":
      return { ...memory(), entries: undefined, contexts: undefined };
    case "add_entry": {
      const { entries } = memory();
      data.queued.push(() =>
        entries.unshift({
          ...{ entryId: `entry-${++ids}`, memoryId: string("memory_id"), creationTime: nextTime() },
          ...{ rawEntry: string("raw_entry"), summary: string("summary"), tags: args["tags"] },
          ...(args["conversation_time"] !== undefined && { conversationTime: string("conversation_time") }),
        }),
      );
      return "enqueued";
    }
    case "list_entries": {
      const limit = typeof args["limit"] === "number" ? args["limit"] : 25;
      const { before, after } = args;
      if (before !== undefined && after !== undefined) throw new Error("provide only one of before or after");
      const entries = memory()
        .entries.filter(({ creationTime }) => before === undefined || creationTime < String(before))
        .filter(({ creationTime }) => after === undefined || creationTime > String(after))
        .slice(0, limit);
      return { entries, count: entries.length, applied_limit: limit };
    }
    case "get_entry": {
      const found = memory().entries.find(({ entryId }) => entryId === args["entry_id"]);
      if (!found) throw new Error("failed to get entry: entry not found");
      return found;
    }
    case "put_context": {
      const { contexts } = memory();
      data.queued.push(() => contexts.unshift(string("content")));
      return "enqueued";
    }
    case "get_context": {
      const [newest] = memory().contexts;
      if (newest !== undefined) return newest;
      if (build === "first") return PLACEHOLDER;
      throw new Error("context not found");
    }
    case "await_consistency":
      for (const write of data.queued.splice(0)) write();
      return "consistent";
    case "search_memories": {
      const words = string("query").toLowerCase().split(/\W+/);
      const entries = memory()
        .entries.map((entry) => ({
          ...entry,
          score: words.filter((word) => entry.rawEntry.toLowerCase().includes(word)).length,
        }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score);
      return { entries, count: entries.length, latestContext: memory().contexts[0] ?? "" };
    }
    case "get_default_prompts":
      return {
        templates: {
          ...{ context_prompt: `context of ${string("memory_type")}`, entry_capture_prompt: "capture" },
          summary_prompt: "summarise",
        },
      };
    default:
      throw new Error(`unknown tool ${name}`);
  }
}
