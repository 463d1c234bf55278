/** The origin of a tool. */
export type ToolOrigin =
  | "builtin"
  | "inline"
  | `module:${string}`
  | `skill:${string}`
  | `mcp:${string}`
  | `agent:${string}`
  | `custom:${string}`;
