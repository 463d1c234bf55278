import { ProblemError } from "../problem.ts";
import { isLoopback } from "./loopback.ts";

/** The names by which requests may address a server, and the web pages that may send some. */
export interface OriginRules {
  /** Names of the server besides its address, in lower case, without a port. */
  readonly hosts: readonly string[];
  /** Origins of other pages that may use the server, such as "https://chat.example". */
  readonly origins: readonly string[];
  /** Whether the server listens for other machines, which may use any of its IP addresses. */
  readonly isPublic: boolean;
}

const IP_ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/i;

/**
 * Throws `ProblemError` unless the request addresses this server by one of its names: another name may have been pointed at this machine by
 * an attacker's page.
 */
export function checkHost(request: Request, { hosts, isPublic }: OriginRules): void {
  const name = hostName(request.headers.get("host") ?? "");
  if (name !== undefined && (isLoopback(name) || hosts.includes(name) || (isPublic && IP_ADDRESS.test(name)))) return;
  throw new ProblemError({
    status: 421,
    code: "wrong_host",
    detail: "the server has another name; name it with --allow-host",
  });
}

/** A `Host` without its port, in lower case; undefined if it is none. */
const hostName = (host: string): string | undefined =>
  /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();

/**
 * The origin of another page that may read the answer; undefined if the sender is no other page. Throws `ProblemError` if another page sent the
 * request that may not.
 */
export function foreignOrigin({ headers }: Request, { origins }: OriginRules): string | undefined {
  const origin = headers.get("origin");
  if (origin !== null && origins.includes(origin)) return origin;
  const site = headers.get("sec-fetch-site");
  const isOwn =
    origin === null || origin === `http://${headers.get("host")}` || origin === `https://${headers.get("host")}`;
  if (isOwn && (site === null || site === "same-origin" || site === "none")) return undefined;
  throw new ProblemError({
    status: 403,
    code: "foreign_origin",
    detail: "a page of another origin sent the request; allow it with --cors ORIGIN",
  });
}

/**
 * Whether a browser shows the answer as a page of its own, as after a click on a link or from a file: the page that led here reads nothing
 * of it.
 */
export const isVisit = ({ method, headers }: Request): boolean =>
  method === "GET" &&
  headers.get("origin") === null &&
  headers.get("sec-fetch-mode") === "navigate" &&
  headers.get("sec-fetch-dest") === "document";

/** The headers by which a browser lets that page use the answer. */
export const corsHeaders = (origin: string | undefined): Readonly<Record<string, string>> =>
  origin === undefined
    ? {}
    : {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, PATCH, DELETE",
        "access-control-allow-headers": "authorization, content-type, idempotency-key, last-event-id",
        "access-control-expose-headers": "location",
        "access-control-max-age": "600",
        vary: "origin",
      };
