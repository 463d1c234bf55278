/** How a client reaches an MCP server. */
export type McpTransport = "stdio" | "http" | "sse" | "tcp";

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
  /** `eager`: at the start; `lazy` (default): when its tools are first needed. */
  readonly connect?: "eager" | "lazy";
  /** The tools to offer, by their names on the server; absent: all. */
  readonly tools?: readonly string[];
}

/** The MCP servers of an agent by name, in the order of the file. */
export type McpSettings = Readonly<Record<string, McpServerDefinition>>;
