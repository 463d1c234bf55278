/** The lists of a server that may change. */
export type ServerList = "tools" | "resources" | "prompts";
