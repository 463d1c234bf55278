/** How a client reaches an MCP server. */
export type McpTransport = "stdio" | "http" | "sse" | "tcp";

/** What a client knows of its registration with an authorization server, with the keys of the settings. */
export interface McpOAuthDefinition {
  /** Of a client that was registered by hand. */
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The address of a client id metadata document, for servers that accept one in place of a registration. */
  readonly client_metadata_url?: string;
  /** Scopes to ask for, separated by blanks, in place of those that the server names. */
  readonly scope?: string;
}

/** An MCP server as its author declares it. Texts may hold `${VAR}`, which stands for a variable of the user. */
export interface McpServerDefinition {
  readonly transport: McpTransport;
  /** The program of a server that speaks over stdio. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables that the program sees besides the few that every program needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the program runs, relative to the agent directory. Default: the agent directory. */
  readonly cwd?: string;
  /** `http://…`, `https://…`, or `tcp://HOST:PORT`. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a server over HTTP that wants a sign-in. Absent: the client registers itself. */
  readonly oauth?: McpOAuthDefinition;
  /** Seconds without a sign of life after which a call has failed. Default 120. */
  readonly timeout?: number;
  /** `eager`: at the start; `lazy` (default): when its tools are first needed. */
  readonly connect?: "eager" | "lazy";
  /** The tools to offer, by their names on the server; absent: all. */
  readonly tools?: readonly string[];
}

/** The MCP servers of an agent by name, in the order of the file. */
export type McpSettings = Readonly<Record<string, McpServerDefinition>>;
