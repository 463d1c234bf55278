import { existsSync } from "node:fs";
import { agentFolder } from "@mdx-ai/directory";
import {
  DEFAULT_MEMORY,
  type EmbeddedMemoryStore,
  ensureMemory,
  findMemory,
  type MemoryName,
  openEmbeddedStore,
  type VaultMemory,
} from "@mdx-ai/memory";
import type { MemorySettings } from "@mdx-ai/parser";
import { makeOwnFolder } from "@mdx-ai/runtime/files";
import { dataLayout } from "@mdx-ai/runtime/layout";
import { agentData } from "../arguments/agent-data.ts";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";

/** A call of an action with as many arguments as it takes. */
export interface MemoryRun {
  /** The agent directory, as it was given. */
  readonly directory: string;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

/** An open store and the memory in it that the command line names. */
export interface OpenMemory {
  readonly store: EmbeddedMemoryStore;
  readonly memory: VaultMemory;
}

/** Does work with the memory, and returns its result; undefined if there is no such memory yet. Creates nothing. */
export async function withMemory<Result>(
  run: MemoryRun,
  work: (open: OpenMemory) => Promise<Result>,
): Promise<Result | undefined> {
  const path = storePath(run, false);
  if (!existsSync(path)) return undefined;
  return withStore(path, run, async (store) => {
    const memory = await findMemory(store, await memoryName(run));
    return memory === undefined ? undefined : work({ store, memory });
  });
}

/** The same, with what does not exist created first. */
export function withNewMemory<Result>(run: MemoryRun, work: (open: OpenMemory) => Promise<Result>): Promise<Result> {
  return withStore(newStorePath(run), run, async (store) =>
    work({ store, memory: await ensureMemory(store, await memoryName(run)) }),
  );
}

/** The same with the store alone. */
export const withNewStore = <Result>(
  run: MemoryRun,
  work: (store: EmbeddedMemoryStore) => Promise<Result>,
): Promise<Result> => withStore(newStorePath(run), run, work);

async function withStore<Result>(
  path: string,
  { context }: MemoryRun,
  work: (store: EmbeddedMemoryStore) => Promise<Result>,
): Promise<Result> {
  const store = await openEmbeddedStore(path, { redact: (text) => context.keys.text(text) });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function newStorePath(run: MemoryRun): string {
  const path = storePath(run, true);
  const { state, memoryFolder } = dataLayout(dataOf(run, true));
  for (const folder of [state, memoryFolder]) makeOwnFolder(folder);
  return path;
}

/** The file of the store, which need not exist. Absolute. */
export const storePath = (run: MemoryRun, isWriting: boolean): string => dataLayout(dataOf(run, isWriting)).memoryStore;

const dataOf = ({ directory, args, context }: MemoryRun, isWriting: boolean): string =>
  agentData(directory, { args, isWriting }, context);

/** The memory that the command line names, else the agent's settings. */
async function memoryName({ directory, args: { values }, context }: MemoryRun): Promise<MemoryName> {
  const [vault, memory] = [values.get("vault"), values.get("memory")];
  const own = vault === undefined || memory === undefined ? await ownMemory(agentFolder(directory, context)) : {};
  const { vault: ownVault = DEFAULT_MEMORY.vault, memory: ownName = DEFAULT_MEMORY.memory } = own;
  return { ...DEFAULT_MEMORY, vault: vault ?? ownVault, memory: memory ?? ownName };
}

/** What the settings of an agent say about its memory. Of one that cannot be read, nothing. */
async function ownMemory(agentDir: string): Promise<MemorySettings> {
  const { readAgentDirectory } = await import("@mdx-ai/parser");
  const read = await readAgentDirectory(agentDir).catch(() => undefined);
  const settings = read?.definition.settings.memory;
  return typeof settings === "object" ? settings : {};
}
