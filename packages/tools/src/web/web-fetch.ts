import type { JsonObject } from "@mdx-ai/base";
import { errorResult, headOf, OUTPUT_LIMIT, type ToolContext, type ToolResult, textResult } from "@mdx-ai/loop";
import { listedDestination } from "@mdx-ai/sandbox";
import { EntrypointError, NETWORK_SECONDS } from "../entrypoints/entrypoint.ts";
import { redirectOf, sendRequest } from "../entrypoints/http-request.ts";
import { destinationOf, type ToolNetwork, timeLimit } from "../entrypoints/network-address.ts";
import { type PageText, pageText } from "./page-text.ts";

/** The most characters of the body that an error shows. */
const ERROR_LENGTH = 2_000;

/** Characters that are left for notices. */
const NOTICE_ROOM = 500;

const HEADERS = {
  Accept:
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1",
  "User-Agent": "Mozilla/5.0 (compatible; mdx-ai)",
};

/** The address of a page. Throws `EntrypointError`. */
export function pageAddress(given: unknown): URL {
  const written = String(given).trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(written) ? written : `https://${written}`);
  if (url === null) throw new EntrypointError(`${JSON.stringify(written)} is no address of a page`);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new EntrypointError(`only pages of http: and https: are fetched, not of ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new EntrypointError("an address with a user name or a password is not fetched");
  }
  return url;
}

/** The host of an address, as permissions name it. */
export const hostOf = (url: URL): string => listedDestination(destinationOf(url));

/**
 * Fetches a page as text, HTML as Markdown. Follows redirects on the same host only, because permissions are given for hosts.
 * Rejects with `EntrypointError`, or as `fetch` does.
 */
export async function fetchPage(args: JsonObject, network: ToolNetwork, { signal }: ToolContext): Promise<ToolResult> {
  const limit = timeLimit(NETWORK_SECONDS);
  try {
    return await pageResult(args, network, AbortSignal.any([signal, limit]));
  } catch (error) {
    limit.throwIfAborted();
    throw error;
  }
}

async function pageResult(args: JsonObject, network: ToolNetwork, signal: AbortSignal): Promise<ToolResult> {
  const first = pageAddress(args["url"]);
  const isSameHost = (location: URL): boolean => hostOf(location) === hostOf(first);
  const request = { method: "GET", url: first, headers: HEADERS } as const;
  const { response, url } = await sendRequest(request, network, signal, isSameHost);
  const location = redirectOf(response);
  if (location !== undefined) {
    await response.body?.cancel();
    return textResult(
      `[redirected to another host: ${URL.parse(location, url.href)?.href}; fetch that address to follow]`,
    );
  }
  const { status, statusText } = response;
  const page = await pageText(response);
  const title = `the server answered ${`${status} ${statusText}`.trim()}`;
  if ("other" in page) {
    return errorResult(
      status < 400 ? `${title} with ${page.other}, which is not shown: download it with a command` : title,
    );
  }
  const details = { status, bytes: page.bytes, truncated: page.isCut };
  const { text, notices } = await shownText(page, url);
  if (status < 400) return { ...textResult(partOf(text, notices, Number(args["offset"] ?? 0))), details };
  const head = headOf(text, ERROR_LENGTH).trim();
  return { ...errorResult(head === "" ? title : `${title}:\n${head}`), details };
}

interface ShownText {
  readonly text: string;
  readonly notices: readonly string[];
}

async function shownText({ text, isHtml, bytes, isCut }: PageText, url: URL): Promise<ShownText> {
  const notices = isCut ? [`[cut: the page is longer than ${bytes} bytes, and the rest was not read]`] : [];
  if (!isHtml) return { text, notices };
  const { htmlToMarkdown } = await import("./html-to-markdown.ts");
  try {
    const page = htmlToMarkdown(text, url);
    return page.isCut
      ? { text: page.text, notices: [...notices, "[cut: parts of the page are missing]"] }
      : { ...page, notices };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EntrypointError("the elements of the page are nested too deeply to be read", { cause: error });
  }
}

/** A part of a text from an offset on, and how to read on. */
function partOf(text: string, notices: readonly string[], offset: number): string {
  if (text.trim() === "") return ["[the page has no text]", ...notices].join("\n");
  if (offset >= text.length)
    throw new EntrypointError(`the page has ${text.length} characters, so nothing follows ${offset}`);
  const rest = text.slice(offset);
  const part = rest.length > OUTPUT_LIMIT - NOTICE_ROOM ? headOf(rest, OUTPUT_LIMIT - NOTICE_ROOM) : rest;
  const end = offset + part.length;
  const more = end < text.length ? [`[${text.length - end} more characters: continue with offset ${end}]`] : notices;
  return [part.trimEnd(), ...more].join("\n");
}
