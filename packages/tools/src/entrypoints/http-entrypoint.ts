import type { JsonObject, JsonValue } from "@mdx-ai/base";
import { errorResult, headOf, OUTPUT_LIMIT, type ToolResult, textResult } from "@mdx-ai/loop";
import { type EntrypointMistake, type HttpTarget, httpTarget } from "@mdx-ai/parser/entrypoints";
import { listedDestination } from "@mdx-ai/sandbox";
import {
  type Entrypoint,
  type EntrypointContext,
  EntrypointError,
  type EntrypointTool,
  givenArguments,
  NETWORK_SECONDS,
  valueText,
} from "./entrypoint.ts";
import { type HttpRequest, readBody, sendRequest } from "./http-request.ts";
import { destinationOf, type ToolNetwork, timeLimit } from "./network-address.ts";

/** The most characters of the body that an error shows. */
const ERROR_LENGTH = 2_000;

/** `http:get URL` sends the arguments as the query, `http:post URL` as a JSON body. Arguments in the path are in neither. */
export const httpEntrypoint: Entrypoint = { tool: httpTool };

function httpTool({ tool, names, options }: EntrypointContext): EntrypointTool | EntrypointMistake {
  const { scheme, target } = tool.entrypoint;
  const url = httpTarget(target, names);
  if (url.kind === "mistake") return url;
  const isGet = scheme === "http:get";
  const requestOf = (args: JsonObject): HttpRequest => (isGet ? getRequest(url, args) : postRequest(url, args));
  const seconds = tool.timeout ?? NETWORK_SECONDS;
  return {
    access: async (args) => ({ kind: "host", host: listedDestination(destinationOf(requestOf(args).url)) }),
    execute: async (args, { signal }) => {
      const limit = timeLimit(seconds);
      try {
        return await exchange(requestOf(args), options, AbortSignal.any([signal, limit]));
      } catch (error) {
        limit.throwIfAborted();
        throw error;
      }
    },
  };
}

async function exchange(request: HttpRequest, network: ToolNetwork, signal: AbortSignal): Promise<ToolResult> {
  const { response } = await sendRequest(request, network, signal);
  const { text, bytes, isCut } = await readBody(response);
  const { status, statusText } = response;
  const details = { status, bytes, truncated: isCut };
  if (status < 400) return { ...textResult(isCut ? cutText(text, bytes) : text), details };
  const head = headOf(text, ERROR_LENGTH).trim();
  const title = `the server answered ${[status, statusText].join(" ").trim()}`;
  return { ...errorResult(head === "" ? title : `${title}:\n${head}`), details };
}

/** The text is shortened so that the model also receives the note. */
function cutText(text: string, bytes: number): string {
  const note = `[cut: the body is longer than ${bytes} bytes, and the rest was not read]`;
  return `${headOf(text, OUTPUT_LIMIT - note.length - 1)}\n${note}`;
}

function getRequest(target: HttpTarget, args: JsonObject): HttpRequest {
  const { url, others } = addressed(target, args);
  for (const [name, value] of Object.entries(others)) {
    for (const text of textsOf(value)) url.searchParams.append(name, text);
  }
  return { method: "GET", url };
}

function postRequest(target: HttpTarget, args: JsonObject): HttpRequest {
  const { url, others } = addressed(target, args);
  return { method: "POST", url, body: JSON.stringify(others) };
}

interface Addressed {
  readonly url: URL;
  /** The arguments that are not in the address. */
  readonly others: JsonObject;
}

function addressed({ parts }: HttpTarget, args: JsonObject): Addressed {
  const given = givenArguments(args);
  const used = new Set(parts.flatMap((part) => (typeof part === "string" ? [] : part.name)));
  const text = parts.reduce<string>(
    (before, part) => before + (typeof part === "string" ? part : encoded(part.name, given[part.name], before)),
    "",
  );
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !used.has(name)));
  return { url: new URL(text), others };
}

/** An argument cannot add or leave a path segment. */
function encoded(name: string, value: JsonValue | undefined, before: string): string {
  const text = value === undefined ? "" : valueText(value);
  if (!before.includes("?") && (text === "" || text === "." || text === "..")) {
    const found = JSON.stringify(text);
    throw new EntrypointError(`the argument ${JSON.stringify(name)} is a part of the path and cannot be ${found}`);
  }
  return encodeURIComponent(text.toWellFormed());
}

const textsOf = (value: JsonValue): readonly string[] =>
  Array.isArray(value) ? value.map(valueText) : [valueText(value)];
