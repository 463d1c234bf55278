import { defined, isRecord } from "@mdx-ai/base";
import {
  type FoundEntry,
  type MemoryEntry,
  type PromptTemplates,
  textTags,
  type Vault,
  type VaultMemory,
} from "../memory-store.ts";

/** Parses an answer of the service, which is usually JSON; otherwise returns the text. */
export function answerValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The elements of a list, which some services wrap in a member. Null is an empty list. */
export function listIn(value: unknown, member: string): readonly unknown[] {
  const list = isRecord(value) ? value[member] : value;
  return Array.isArray(list) ? list : [];
}

/** Undefined if the value is not a vault. */
export function vaultIn(value: unknown, given: Partial<Vault> = {}): Vault | undefined {
  const vaultId = textAt(value, "vaultId", "vault_id", "id") ?? given.vaultId;
  const title = textAt(value, "title") ?? given.title;
  if (vaultId === undefined || title === undefined) return undefined;
  return { vaultId, title, ...described(value), createdAt: timeAt(value) };
}

/** Undefined if the value is not a memory. `given` fills in what lists omit. */
export function memoryIn(value: unknown, given: Partial<VaultMemory> = {}): VaultMemory | undefined {
  const memoryId = textAt(value, "memoryId", "memory_id", "id");
  const title = textAt(value, "title") ?? given.title;
  if (memoryId === undefined || title === undefined) return undefined;
  return {
    vaultId: textAt(value, "vaultId", "vault_id") ?? given.vaultId ?? "",
    memoryId,
    title,
    memoryType: textAt(value, "memoryType", "memory_type") ?? given.memoryType ?? "",
    ...described(value),
    createdAt: timeAt(value),
  };
}

/** An entry with its arrival time at the service, which orders the pages. */
export interface ListedEntry {
  readonly entry: MemoryEntry;
  readonly addedAt: string;
}

/** Undefined if the value is not an entry. */
export function entryIn(value: unknown, memoryId: string): ListedEntry | undefined {
  const entryId = textAt(value, "entryId", "entry_id", "id");
  if (entryId === undefined) return undefined;
  const addedAt = timeAt(value);
  const { tags } = isRecord(value) ? value : {};
  const entry: MemoryEntry = {
    entryId,
    memoryId: textAt(value, "memoryId", "memory_id") ?? memoryId,
    createdAt: textAt(value, "conversationTime", "conversation_time") ?? addedAt,
    rawEntry: textAt(value, "rawEntry", "raw_entry") ?? "",
    summary: textAt(value, "summary") ?? "",
    tags: textTags(typeof tags === "string" ? answerValue(tags) : tags),
  };
  return { entry, addedAt };
}

/** Undefined if the value is not a search result. */
export function foundIn(value: unknown, memoryId: string): FoundEntry | undefined {
  const listed = entryIn(isRecord(value) && isRecord(value["entry"]) ? value["entry"] : value, memoryId);
  const score = isRecord(value) && typeof value["score"] === "number" ? value["score"] : 0;
  return listed && { entry: listed.entry, score };
}

/** The content of a context; undefined for the placeholder of a new memory. */
export function contextIn(text: string): string | undefined {
  const value = answerValue(text);
  const content = isRecord(value) ? (textAt(value, "activeContext", "context") ?? text) : text;
  return content.trim() === "" || PLACEHOLDER.test(content) ? undefined : content;
}

/** The context that the service creates with a memory. */
const PLACEHOLDER = /^\s*This is default context that's created with the memory\.[^\n]*$/;

export function promptsIn(value: unknown): PromptTemplates {
  const templates = isRecord(value) && isRecord(value["templates"]) ? value["templates"] : value;
  const template = (name: string): string => textAt(templates, name, `${name}.md`) ?? "";
  return {
    contextPrompt: template("context_prompt"),
    entryCapturePrompt: template("entry_capture_prompt"),
    summaryPrompt: template("summary_prompt"),
  };
}

function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  if (!isRecord(value)) return undefined;
  for (const name of names) {
    const text = value[name];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

const described = (value: unknown): { readonly description?: string } =>
  defined({ description: textAt(value, "description") });

/** The creation time; 1970 if the service sends none. */
const timeAt = (value: unknown): string =>
  textAt(value, "creationTime", "createdAt", "created_at", "creation_time") ?? "1970-01-01T00:00:00.000Z";
