/** The official client, which is loaded at the first connection. */
export type ClientLibrary = typeof import("@modelcontextprotocol/client");
