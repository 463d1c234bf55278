/**
 * Runs a conversation of 6 messages through a memory agent: `memory-agent-process.ts FOLDER [POINT]`. It kills itself at POINT, such
 * as `before addEntry 2` or `after putContext 1`, where the number counts such operations of this process. `requests.jsonl` gets a line
 * for each request to the model.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import {
  ensureMemory,
  MemoryAgent,
  MemoryInvoker,
  type MemoryStore,
  openEmbeddedStore,
  threadFiles,
} from "@mdx-ai/memory";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { contextReply, entryReply } from "./memory-bench.ts";
import { scriptReference } from "./replies.ts";

const [folder = "", point = ""] = process.argv.slice(2);

const counts = new Map<string, number>();

function passing(place: string): void {
  const count = (counts.get(place) ?? 0) + 1;
  counts.set(place, count);
  if (`${place} ${count}` === point) process.kill(process.pid, "SIGKILL");
}

const dying = (store: MemoryStore): MemoryStore =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]): Promise<unknown> => {
        passing(`before ${String(name)}`);
        const result: unknown = await Reflect.apply(member, target, args);
        passing(`after ${String(name)}`);
        return result;
      };
    },
  });

/** Answers each prompt as it asks; the number of the request is in the answer. */
const model: LanguageModel = {
  provider: "test",
  name: "obedient",
  async *stream(request, signal) {
    const isContext = request.system.includes("Current Operation: CONTEXT_SYNTHESIS");
    appendFileSync(join(folder, "requests.jsonl"), `${isContext ? "put_context" : "add_entry"}\n`);
    const reply = isContext ? contextReply("the whole talk") : entryReply("a summary");
    const script = await openModel(scriptReference(folder, [reply]), { environment: {} });
    yield* script.stream(request, signal);
  },
};

const store = await openEmbeddedStore(join(folder, "memory.db"));
const { vaultId, memoryId } = await ensureMemory(store, { vault: "v", memory: "m", memoryType: "chat" });
const openThread = threadFiles(join(folder, "threads"));
const agent = new MemoryAgent({ vaultId, memoryId, store: dying(store), model, openThread });
const invoker = new MemoryInvoker(agent);
await invoker.startSession("talk");
for (let number = 1; number <= 6; number++) {
  await invoker.processConversationMessage(number % 2 === 1 ? "user" : "assistant", `message ${number}`, "talk");
}
await invoker.endSession("talk");
await agent.close();
await store.close();
