import { type McpHttpServer, mcpHttpServer } from "./mcp-http-server.ts";

export interface OAuthMcpServer extends McpHttpServer {
  /** Paths that the authorization server was asked for. */
  readonly asked: readonly string[];
  /** No token that was given out so far is valid any more. */
  expire(): void;
  /** Refresh tokens are not valid any more either. */
  revoke(): void;
}

/** A server that requires a sign-in, and its authorization server at the same address, which lets everybody in. */
export function oauthMcpServer(): OAuthMcpServer {
  const asked: string[] = [];
  let tokens = 0;
  let refresh = "";
  let isRevoked = false;
  const issue = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text());
    const isRefresh = form.get("grant_type") === "refresh_token";
    const isUsed = isRefresh && (isRevoked || form.get("refresh_token") !== refresh);
    if (isUsed) return Response.json({ error: "invalid_grant" }, { status: 400 });
    tokens += 1;
    refresh = `refresh-${tokens}`;
    return Response.json({ access_token: `access-${tokens}`, token_type: "Bearer", refresh_token: refresh });
  };
  const answer = async (request: Request): Promise<Response | undefined> => {
    const url = new URL(request.url);
    if (url.pathname === "/mcp") return isValid(request, tokens) ? undefined : unauthorized(url.origin);
    asked.push(url.pathname);
    if (url.pathname === "/register") return register(request);
    if (url.pathname === "/authorize") return redirect(url);
    if (url.pathname === "/token") return issue(request);
    const document = documentOf(url);
    return document ? Response.json(document) : new Response(null, { status: 404 });
  };
  const server = mcpHttpServer({ kind: "both", intercept: answer });
  return {
    ...server,
    asked,
    expire: () => {
      tokens += 100;
    },
    revoke: () => {
      isRevoked = true;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const isValid = (request: Request, tokens: number): boolean =>
  tokens > 0 && request.headers.get("authorization") === `Bearer access-${tokens}`;

const unauthorized = (origin: string): Response =>
  new Response(null, {
    status: 401,
    headers: { "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` },
  });

function documentOf({ origin, pathname }: URL): object | undefined {
  switch (pathname) {
    case "/.well-known/oauth-protected-resource/mcp":
      return { resource: `${origin}/mcp`, authorization_servers: [origin] };
    case "/.well-known/oauth-authorization-server":
      return {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      };
    default:
      return undefined;
  }
}

async function register(request: Request): Promise<Response> {
  const metadata: object = JSON.parse(await request.text());
  return Response.json({ ...metadata, client_id: "registered" }, { status: 201 });
}

function redirect({ searchParams }: URL): Response {
  const back = new URL(searchParams.get("redirect_uri") ?? "");
  back.searchParams.set("code", "a-code");
  back.searchParams.set("state", searchParams.get("state") ?? "");
  return Response.redirect(back.href, 302);
}
