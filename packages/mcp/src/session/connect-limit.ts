import type { McpServerDefinition } from "@mdx-ai/parser";

const DEFAULT_SECONDS = 30;

/** Milliseconds that a server has to connect and to list its tools. */
export const connectLimit = ({ connect_timeout: seconds = DEFAULT_SECONDS }: McpServerDefinition): number =>
  seconds * 1000;
