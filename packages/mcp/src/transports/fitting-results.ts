import { isRecord, isText, shortened, visibleLine, visibleText } from "@mdx-ai/base";
import { contentParts, resourceContents } from "./content-parts.ts";
import { type ItemKind, isTrue, ListedItems, type ListedItemsOptions } from "./listed-items.ts";
import { PageWalks } from "./page-walks.ts";
import { type Parts, withoutNulls } from "./without-nulls.ts";

export interface FittingOptions extends ListedItemsOptions {
  /** Revisions that the client accepts after a handshake. */
  readonly revisions: readonly string[];
}

/** A request that waits for its answer. */
export interface AskedRequest {
  readonly method: string;
  readonly params: Parts;
}

/** The list methods of a server. */
const LISTS: Readonly<Record<string, { readonly member: string; readonly kind: ItemKind }>> = {
  "tools/list": { member: "tools", kind: "tool" },
  "resources/list": { member: "resources", kind: "resource" },
  "prompts/list": { member: "prompts", kind: "prompt" },
};

const METHOD_NOT_FOUND = -32601;

/** Corrects results that break the protocol in a harmless way. */
export class FittingResults {
  readonly #options: FittingOptions;
  readonly #items: ListedItems;
  readonly #walks = new PageWalks();
  #declaresTools = false;

  constructor(options: FittingOptions) {
    this.#options = options;
    this.#items = new ListedItems(options);
  }

  /** Whether the server declared tools. */
  get declaresTools(): boolean {
    return this.#declaresTools;
  }

  asked({ method, params }: AskedRequest): void {
    if (method in LISTS) this.#walks.asked(method, params["cursor"]);
  }

  /** The corrected result; undefined if it is not a result of this method. */
  fit(request: AskedRequest, result: unknown): Parts | undefined {
    const { method } = request;
    if (method === "tools/call") return callResult(result);
    const list = LISTS[method];
    if (list && Array.isArray(result)) return this.#list(request, { [list.member]: result });
    const parts = result ?? {};
    if (!isRecord(parts)) return undefined;
    const present = withMeta(withoutNulls(parts));
    switch (method) {
      case "initialize":
        return this.#initialized(request, present);
      case "server/discover":
        return { ...present, ...this.#capabilities(present["capabilities"]) };
      case "resources/read":
        return { ...present, contents: listOf(present["contents"]).map(resourceContents) };
      case "prompts/get":
        return { ...present, messages: listOf(present["messages"]).flatMap(promptMessages) };
      default:
        return list ? this.#list(request, present) : present;
    }
  }

  /** A result to use instead of an error that would hide other items; undefined to keep the error. */
  insteadOfError({ method, params }: AskedRequest, code: number, message: string): Parts | undefined {
    const list = LISTS[method];
    if (!list) return undefined;
    const reason = visibleLine(shortened(message, 300));
    if (params["cursor"] !== undefined) {
      const pages = this.#walks.pagesBefore(method);
      this.#options.onWarning(
        `does not list all its ${list.member}: after ${pages} pages it answered: ${reason}`,
        true,
      );
      return { [list.member]: [] };
    }
    return code === METHOD_NOT_FOUND ? { [list.member]: [] } : undefined;
  }

  #list({ method, params }: AskedRequest, result: Parts): Parts {
    const { member = "", kind = "tool" } = LISTS[method] ?? {};
    const items = this.#items.read(kind, result[member]);
    const { nextCursor, ...others } = result;
    // Some servers send `false` for no cursor.
    if (nextCursor === undefined || nextCursor === false) return { ...others, [member]: items };
    const next = isText(nextCursor) ? nextCursor : JSON.stringify(nextCursor);
    const step = this.#walks.next(method, params["cursor"], next, items);
    if (step === "follow") return { ...others, [member]: items, nextCursor: next };
    // Some servers end a list with an empty cursor that leads to the same page.
    if (step === "endless" || next !== "") {
      const pages = this.#walks.pagesBefore(method).toLocaleString("en");
      this.#options.onWarning(`lists its ${member} without an end; the first ${pages} pages are used`, true);
    }
    return { ...others, [member]: step === "known" ? [] : items };
  }

  #initialized({ params }: AskedRequest, result: Parts): Parts {
    const { protocolVersion, serverInfo, instructions } = result;
    const { name, version } = isRecord(serverInfo) ? serverInfo : {};
    const asked = params["protocolVersion"];
    const isKnown = isText(protocolVersion) && this.#options.revisions.includes(protocolVersion);
    if (!isKnown && protocolVersion !== undefined) {
      const named = visibleText(
        shortened(isText(protocolVersion) ? protocolVersion : JSON.stringify(protocolVersion), 50),
      );
      this.#options.onWarning(`names the unknown revision ${named} of the protocol; ${asked} is used`);
    }
    return {
      ...(result["_meta"] !== undefined && { _meta: result["_meta"] }),
      protocolVersion: isKnown ? protocolVersion : asked,
      ...this.#capabilities(result["capabilities"]),
      serverInfo: { name: isText(name) ? name : "unknown", version: isText(version) ? version : "unknown" },
      ...(isText(instructions) && { instructions }),
    };
  }

  /** Adds the tools capability, since a server may have tools that it does not declare. */
  #capabilities(declared: unknown): { readonly capabilities: Parts } {
    const all = Object.entries(isRecord(declared) ? declared : {});
    const capabilities = Object.fromEntries(all.flatMap(([name, value]) => capability(name, value)));
    this.#declaresTools = "tools" in capabilities;
    return { capabilities: { ...capabilities, tools: capabilities["tools"] ?? {} } };
  }
}

/** Some servers send `true` or an empty list for an empty object. */
function capability(name: string, value: unknown): [name: string, value: Parts][] {
  if (value === false || value === undefined) return [];
  if (!isRecord(value)) return [[name, {}]];
  const { listChanged, subscribe, ...others } = value;
  const flags = { ...(isTrue(listChanged) && { listChanged: true }), ...(isTrue(subscribe) && { subscribe: true }) };
  return [[name, { ...others, ...flags }]];
}

const withMeta = ({ _meta, ...others }: Parts): Parts => ({ ...others, ...(isRecord(_meta) && { _meta }) });

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).filter((one) => one !== null);
};

/** Some servers omit the content, send a single part or a string, or put their values beside it. */
function callResult(result: unknown): Parts {
  if (!isRecord(result)) return { resultType: "complete", content: contentParts(result) };
  const present = withMeta(withoutNulls(result));
  const { resultType = "complete", content, isError, structuredContent, _meta, toolResult, ...others } = present;
  if (resultType !== "complete") return present;
  const values = toolResult ?? (Object.keys(others).length > 0 ? others : undefined);
  const isBare = content === undefined && structuredContent === undefined && values !== undefined;
  return {
    ...{ ...others, ...(_meta !== undefined && { _meta }), resultType },
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError !== undefined && { isError: isTrue(isError) }),
    content: isBare ? bareContent(values) : contentParts(content),
  };
}

/** Values that some servers send instead of content. */
function bareContent(values: unknown): readonly Parts[] {
  if (isRecord(values) && values["content"] !== undefined) return contentParts(values["content"]);
  return contentParts(isText(values) ? values : JSON.stringify(values));
}

/** One message per part: some servers put several parts in one. */
function promptMessages(message: unknown): readonly Parts[] {
  const { role, content } = isRecord(message) ? message : { role: "user", content: message };
  return contentParts(content).map((part) => ({ role: role === "assistant" ? role : "user", content: part }));
}
