import { join } from "node:path";
import {
  type EmbeddedMemoryStore,
  ensureMemory,
  MemoryAgent,
  type MemoryAgentOptions,
  MemoryInvoker,
  type MemoryStore,
  openEmbeddedStore,
  threadFiles,
} from "@mdx-ai/memory";
import { type LanguageModel, type ModelRequest, openModel } from "@mdx-ai/models";
import { type Reply, scriptReference } from "./replies.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A memory agent on an embedded store and a model that plays replies, in a folder of its own. */
export interface MemoryBench extends AsyncDisposable {
  readonly folder: string;
  readonly agent: MemoryAgent;
  readonly invoker: MemoryInvoker;
  readonly store: EmbeddedMemoryStore;
  readonly vaultId: string;
  readonly memoryId: string;
  /** The operations of the store and the tools that the model was asked for, in their order. */
  readonly done: string[];
  readonly requests: ModelRequest[];
  /** Another agent on the same files, as a later process has it. */
  another(replies: readonly Reply[]): Promise<MemoryAgent>;
}

let calls = 0;

/** A reply that calls `add_entry`. */
export const entryReply = (summary: string, tags: Readonly<Record<string, string>> = {}): Reply => ({
  calls: [{ id: `call-${++calls}`, name: "add_entry", arguments: { raw_entry: "(not used)", summary, tags } }],
});

/** A reply that calls `put_context`. */
export const contextReply = (content: string): Reply => ({
  calls: [{ id: `call-${++calls}`, name: "put_context", arguments: { content } }],
});

export async function openMemoryBench(
  replies: readonly Reply[],
  options: Partial<MemoryAgentOptions> = {},
): Promise<MemoryBench> {
  const directory = temporaryDirectory();
  const folder = directory.path;
  const store = await openEmbeddedStore(join(folder, "memory.db"));
  const place = await ensureMemory(store, { vault: "notes", memory: "talks", memoryType: "chat" });
  const done: string[] = [];
  const requests: ModelRequest[] = [];
  const opened: MemoryAgent[] = [];
  const another = async (more: readonly Reply[]): Promise<MemoryAgent> => {
    const agent = new MemoryAgent({
      ...{ vaultId: place.vaultId, memoryId: place.memoryId },
      store: watched(store, done),
      model: watchedModel(await openModel(scriptReference(folder, more), { environment: {} }), requests),
      openThread: threadFiles(join(folder, "threads")),
      ...options,
    });
    opened.push(agent);
    return agent;
  };
  const agent = await another(replies);
  return {
    ...{ folder, agent, store, done, requests, another },
    invoker: new MemoryInvoker(agent),
    vaultId: place.vaultId,
    memoryId: place.memoryId,
    [Symbol.asyncDispose]: async () => {
      for (const one of opened) await one.close();
      await store.close();
      directory[Symbol.dispose]();
    },
  };
}

/** The same store, which writes down its operations. */
const watched = (store: MemoryStore, done: string[]): MemoryStore =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        done.push(String(name));
        return Reflect.apply(member, target, args);
      };
    },
  });

const watchedModel = (model: LanguageModel, requests: ModelRequest[]): LanguageModel => ({
  ...model,
  stream: (request, signal) => {
    requests.push(request);
    return model.stream(request, signal);
  },
});
