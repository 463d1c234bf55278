import { createHash, randomBytes } from "node:crypto";
import { defined, within } from "@mdx-ai/base";
import type { McpOAuthDefinition } from "@mdx-ai/parser";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { McpConnectionOptions } from "../mcp-connection.ts";
import { McpError } from "../mcp-error.ts";
import { RedirectListener } from "./redirect-listener.ts";
import type { SignInStore } from "./sign-in-store.ts";

export interface SignInOptions {
  readonly oauth: McpOAuthDefinition;
  readonly store: SignInStore;
  /** Shows an address to the user; absent if there is no one to sign in. */
  readonly onSignIn: McpConnectionOptions["onSignIn"];
}

/** Exchanges the parameters of the redirect for tokens. Rejects with the reason. */
type Redeem = (parameters: URLSearchParams) => Promise<void>;

/** Milliseconds for a user to sign in. */
const SIGN_IN_LIMIT = 10 * 60_000;

interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
}

/** Signs in to one server with OAuth: implements the library's provider and handles the browser's redirect. */
export class SignIn implements OAuthClientProvider {
  readonly #options: SignInOptions;
  #listener: RedirectListener | undefined;
  #redeem: Redeem | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  /** PKCE verifiers of prepared sign-ins, by `state`. */
  readonly #verifiers = new Map<string, string>();
  #pending: PendingSignIn | undefined;
  #finished: Promise<void> | undefined;
  /** The refresh token used last. */
  #renewed: string | undefined;
  readonly #closed = Promise.withResolvers<never>();

  constructor(options: SignInOptions) {
    this.#options = options;
    // Avoid an unhandled rejection if nothing is waiting.
    this.#closed.promise.catch(() => {});
  }

  /** Whether it can provide what the server requires. */
  get isUseful(): boolean {
    return this.#options.onSignIn !== undefined || this.#options.store.read().latest !== undefined;
  }

  /** Sets how the parameters of the redirect are exchanged. */
  use(redeem: Redeem | undefined): void {
    this.#redeem = redeem;
  }

  /** Resolves when the user has signed in; undefined if no sign-in was started. Rejects with the reason if it fails. */
  finished(): Promise<void> | undefined {
    return this.#finished;
  }

  close(): void {
    this.#closed.reject(new McpError("the connection is closed"));
    this.#stopListening();
  }

  get redirectUrl(): string {
    this.#listener ??= new RedirectListener(this.#options.store.read().port);
    return this.#listener.url;
  }

  get clientMetadataUrl(): string {
    return this.#options.oauth.client_metadata_url ?? "";
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.#options.oauth;
    return {
      client_name: "mdx-ai",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...defined({ scope }),
    };
  }

  state(): string {
    return randomBytes(32).toString("base64url");
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { oauth, store } = this.#options;
    const { clients, latest } = store.read();
    const issuer = context?.issuer ?? latest ?? "";
    if (oauth.client_id !== undefined) {
      return {
        client_id: oauth.client_id,
        ...defined({ client_secret: oauth.client_secret }),
        issuer: this.#boundIssuer(issuer),
      };
    }
    const client = clients[issuer];
    return client && namesRedirect(client, this.redirectUrl) ? client : undefined;
  }

  saveClientInformation(information: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    const { store, oauth } = this.#options;
    const issuer = context?.issuer ?? information.issuer;
    if (issuer === undefined || oauth.client_id !== undefined) return;
    const port = this.#listener?.port;
    store.write({
      clients: { ...store.read().clients, [issuer]: information },
      ...defined({ port }),
    });
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    const { tokens, latest } = this.#options.store.read();
    const found = tokens[context?.issuer ?? latest ?? ""];
    if (context) this.#renewed = found?.refresh_token;
    return found;
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    const { store } = this.#options;
    const issuer = context?.issuer ?? tokens.issuer ?? "";
    store.write({ tokens: { ...store.read().tokens, [issuer]: tokens }, latest: issuer });
    if (!this.#pending) this.#stopListening();
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifiers.set(challengeOf(verifier), verifier);
  }

  codeVerifier(): string {
    return this.#pending?.verifier ?? "";
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    if (!this.#pending) this.#discovery = state;
  }

  /** Set only during the redirect, so that a server that moved to another issuer is noticed. */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#pending ? this.#discovery : undefined;
  }

  /** Asks the user, unless a sign-in is already open. */
  redirectToAuthorization(url: URL): void {
    if (this.#pending) return;
    const { onSignIn } = this.#options;
    if (!onSignIn) throw new McpError("the server requires a sign-in");
    requireSafe(url);
    const verifier = this.#verifiers.get(url.searchParams.get("code_challenge") ?? "") ?? "";
    this.#verifiers.clear();
    this.#pending = { state: url.searchParams.get("state") ?? "", verifier };
    const ended = new AbortController();
    const refused = Promise.withResolvers<never>();
    const finished = this.#finish(this.#pending.state, refused.promise).finally(() => ended.abort());
    // Avoid an unhandled rejection if nothing is waiting.
    finished.catch(() => {});
    this.#finished = finished;
    onSignIn(url.href, {
      ended: ended.signal,
      refuse: () => refused.reject(new McpError("the user did not sign in")),
    });
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { store, oauth } = this.#options;
    // A client registered by hand stays with its issuer.
    if ((scope === "client" || scope === "all") && oauth.client_id === undefined) store.write({ clients: {} });
    if (scope === "tokens" || scope === "all") this.#forgetTokens();
  }

  /** Keeps tokens that another process has renewed in the meantime. */
  #forgetTokens(): void {
    const { store } = this.#options;
    const { tokens } = store.read();
    const others = Object.entries(tokens).filter(([, { refresh_token }]) => refresh_token !== this.#renewed);
    store.write({ tokens: this.#renewed === undefined ? {} : Object.fromEntries(others) });
  }

  async #finish(state: string, refused: Promise<never>): Promise<void> {
    try {
      const parameters = await this.#returned(state, refused);
      await this.#redeem?.(parameters);
    } finally {
      this.#pending = undefined;
      this.#stopListening();
    }
  }

  async #returned(state: string, refused: Promise<never>): Promise<URLSearchParams> {
    const listener = this.#listener;
    const returned = new Promise<URLSearchParams>((resolve) => {
      listener?.wait((parameters) => {
        if (parameters.get("state") !== state) return false;
        resolve(parameters);
        return true;
      });
    });
    const isInTime = await within(Promise.race([returned, refused, this.#closed.promise]), SIGN_IN_LIMIT);
    if (!isInTime) throw new McpError(`no sign-in within ${SIGN_IN_LIMIT / 60_000} minutes`);
    return returned;
  }

  #stopListening(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  /** A client registered by hand is bound to the issuer of its first use: a server cannot redirect it to another. */
  #boundIssuer(issuer: string): string {
    const { store, oauth } = this.#options;
    const { clients } = store.read();
    const bound = Object.values(clients).find(({ client_id }) => client_id === oauth.client_id)?.issuer;
    if (bound !== undefined) return bound;
    store.write({ clients: { ...clients, [issuer]: { client_id: oauth.client_id ?? "", issuer } } });
    return issuer;
  }
}

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

/** Whether a registration allows this redirect address; one by metadata document does not list it. */
const namesRedirect = (client: StoredOAuthClientInformation, url: string): boolean =>
  !("redirect_uris" in client) || client.redirect_uris.includes(url);

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

function requireSafe(url: URL): void {
  if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname))) return;
  throw new McpError(`the server requires a sign-in at ${url.protocol}//${url.host}, which is not safe`);
}
