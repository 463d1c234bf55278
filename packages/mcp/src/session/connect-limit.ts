import type { McpServerDefinition } from "@mdx-ai/parser";

const DEFAULT_SECONDS = 30;

/** Milliseconds for a server to connect and list its tools. */
export const connectLimit = ({ connect_timeout: seconds = DEFAULT_SECONDS }: McpServerDefinition): number =>
  seconds * 1000;
