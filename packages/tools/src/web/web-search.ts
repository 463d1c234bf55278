import { type Environment, isRecord, type JsonObject, listOf, textOf } from "@mdx-ai/base";
import { errorResult, headOf, type ToolContext, type ToolResult, textResult } from "@mdx-ai/loop";
import type { SearchEndpoint } from "@mdx-ai/parser";
import { EntrypointError, NETWORK_SECONDS } from "../entrypoints/entrypoint.ts";
import { readBody, redirectOf, sendRequest } from "../entrypoints/http-request.ts";
import { type ToolNetwork, timeLimit } from "../entrypoints/network-address.ts";

const MAX_RESULTS = 10;
const SNIPPET_LENGTH = 500;
const ERROR_LENGTH = 500;

/**
 * Searches at the user's endpoint: the query is the parameter `q`, and the answer is JSON as of SearXNG (`results`) or Brave
 * (`web.results`). The endpoint may be on this machine or a private network. Rejects with `EntrypointError`, or as `fetch` does.
 */
export async function searchWeb(
  args: JsonObject,
  { url, headers = {}, environment }: SearchEndpoint & { readonly environment: Environment },
  { toolNetwork }: ToolNetwork,
  { signal }: Pick<ToolContext, "signal">,
): Promise<ToolResult> {
  const address = new URL(url);
  address.searchParams.set("q", String(args["query"]));
  const request = { method: "GET", url: address, headers: filled(headers, environment) } as const;
  const limit = timeLimit(NETWORK_SECONDS);
  try {
    const stop = AbortSignal.any([signal, limit]);
    // Redirects are refused: another server would get the query.
    const { response } = await sendRequest(request, { network: "all", toolNetwork }, stop, () => false);
    if (redirectOf(response) !== undefined) return errorResult("the search redirects, which is not followed");
    const { text } = await readBody(response);
    if (response.status < 400) return textResult(resultsText(text));
    return errorResult(`the search answered ${response.status}: ${headOf(text, ERROR_LENGTH).trim()}`);
  } catch (error) {
    limit.throwIfAborted();
    throw error;
  }
}

/** `${NAME}` is a variable of the user's. */
const filled = (headers: Readonly<Record<string, string>>, environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_all, variable: string) => {
        const value = environment[variable];
        if (value === undefined || value === "") {
          throw new EntrypointError(
            `the variable ${variable}, which \`web_search\` of the user's settings names, is not set`,
          );
        }
        return value;
      }),
    ]),
  );

function resultsText(text: string): string {
  const found = resultsIn(text);
  if (found === undefined) {
    throw new EntrypointError("the search answered in an unknown form: not the JSON of SearXNG or Brave");
  }
  if (found.length === 0) return "[no results]";
  return found.slice(0, MAX_RESULTS).map(resultText).join("\n\n");
}

type Found = Readonly<Record<string, unknown>>;

/** The results of SearXNG or Brave; Brave leaves `web` out if there are none. */
function resultsIn(text: string): readonly Found[] | undefined {
  const answer = parsed(text);
  if (!isRecord(answer)) return undefined;
  const { results, web, type } = answer;
  if (Array.isArray(results)) return results.filter(isRecord);
  if (isRecord(web)) return listOf(web["results"]).filter(isRecord);
  return type === "search" ? [] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function resultText({ title, url, content, description }: Found, index: number): string {
  const snippet = headOf(plain(content ?? description), SNIPPET_LENGTH);
  return [`${index + 1}. ${plain(title)}`, plain(url), snippet].filter((line) => line !== "").join("\n");
}

/** Snippets mark words with tags. */
const plain = (value: unknown): string =>
  textOf(value)
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/\s+/g, " ")
    .trim();
