/** The official client, loaded at the first connection. */
export type ClientLibrary = typeof import("@modelcontextprotocol/client");
