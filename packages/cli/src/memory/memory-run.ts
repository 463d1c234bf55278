import { existsSync } from "node:fs";
import { dataLayout } from "@mdx-ai/base";
import { makePrivateFolder } from "@mdx-ai/base/disk";
import { readDirectory } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import {
  DEFAULT_MEMORY,
  type EmbeddedMemoryStore,
  ensureMemory,
  findMemory,
  type MemoryName,
  openEmbeddedStore,
  type VaultMemory,
  type VectorOptions,
  vectorOptions,
} from "@mdx-ai/memory";
import type { MemorySettings } from "@mdx-ai/parser";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { agentData } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";

/** A call of an action, with checked arguments. */
export interface MemoryRun {
  /** The agent directory, as given. */
  readonly directory: string;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

/** An open store and the memory named on the command line. */
export interface OpenMemory {
  readonly store: EmbeddedMemoryStore;
  readonly memory: VaultMemory;
}

/**
 * Runs `work` with the memory and returns its result; undefined if the agent has no memory yet. Creates nothing. Rejects with
 * `ProgramError` if the command line names an unknown memory.
 */
export async function withMemory<Result>(
  run: MemoryRun,
  work: (open: OpenMemory) => Promise<Result>,
): Promise<Result | undefined> {
  const path = storePath(run, false);
  if (!existsSync(path)) return undefined;
  return withStore(path, run, async (store) => {
    const name = await memoryName(run);
    const memory = await findMemory(store, name);
    if (memory !== undefined) return work({ store, memory });
    if (run.args.values.has("vault") || run.args.values.has("memory")) throw await noSuchMemory(store, name);
    return undefined;
  });
}

async function noSuchMemory(store: EmbeddedMemoryStore, { vault, memory }: MemoryName): Promise<ProgramError> {
  const vaults = await store.listVaults();
  const found = vaults.find(({ vaultId, title }) => vaultId === vault || title === vault);
  if (found === undefined) return noSuch("vault", vault, vaults);
  return noSuch("memory", memory, await store.listMemories(found.vaultId));
}

function noSuch(what: string, name: string, existing: readonly { readonly title: string }[]): ProgramError {
  const titles = existing.map(({ title }) => plainLine(title)).join(", ");
  const list = titles === "" ? "none is available" : `available: ${titles}`;
  return new ProgramError(`there is no ${what} ${JSON.stringify(name)}; ${list}`, EXIT_CODE.failed);
}

/** As `withMemory`, but creates the memory if it does not exist. */
export function withNewMemory<Result>(run: MemoryRun, work: (open: OpenMemory) => Promise<Result>): Promise<Result> {
  return withStore(newStorePath(run), run, async (store) =>
    work({ store, memory: await ensureMemory(store, await memoryName(run)) }),
  );
}

/** As `withNewMemory`, with the store alone. */
export const withNewStore = <Result>(
  run: MemoryRun,
  work: (store: EmbeddedMemoryStore) => Promise<Result>,
): Promise<Result> => withStore(newStorePath(run), run, work);

async function withStore<Result>(
  path: string,
  run: MemoryRun,
  work: (store: EmbeddedMemoryStore) => Promise<Result>,
): Promise<Result> {
  const redact = (text: string): string => run.context.keys.text(text);
  const store = await openEmbeddedStore(path, { redact, vectors: await vectorsOf(run) });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Undefined if the agent's settings name no embedding model. */
async function vectorsOf({ directory, context }: MemoryRun): Promise<VectorOptions | undefined> {
  const { embeddings } = await ownMemory(directory, context);
  const { environment, stderr } = context;
  const onWarning = (message: string): void => stderr.write(`mdx-ai: warning: ${plainLine(message)}\n`);
  return embeddings === undefined ? undefined : vectorOptions(embeddings, { environment, onWarning });
}

function newStorePath(run: MemoryRun): string {
  const path = storePath(run, true);
  const { state, memoryFolder } = dataLayout(dataOf(run, true));
  for (const folder of [state, memoryFolder]) makePrivateFolder(folder);
  return path;
}

/** The absolute path of the store's file, which may not exist. */
export const storePath = (run: MemoryRun, isWriting: boolean): string => dataLayout(dataOf(run, isWriting)).memoryStore;

const dataOf = ({ directory, args, context }: MemoryRun, isWriting: boolean): string =>
  agentData(directory, { args, isWriting }, context);

/** The memory named on the command line, else in the agent's settings. */
async function memoryName({ directory, args: { values }, context }: MemoryRun): Promise<MemoryName> {
  const [vault, memory] = [values.get("vault"), values.get("memory")];
  const own = vault === undefined || memory === undefined ? await ownMemory(directory, context) : {};
  const { vault: ownVault = DEFAULT_MEMORY.vault, memory: ownName = DEFAULT_MEMORY.memory } = own;
  return { ...DEFAULT_MEMORY, vault: vault ?? ownVault, memory: memory ?? ownName };
}

/** The agent's memory settings. Empty if the agent cannot be read. */
async function ownMemory(directory: string, context: CommandContext): Promise<MemorySettings> {
  const read = await readDirectory(directory, context).catch(() => undefined);
  const settings = read?.definition.settings.memory;
  return typeof settings === "object" ? settings : {};
}
