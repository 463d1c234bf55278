const PRINTING = ["log", "info", "debug", "warn", "error", "trace"] as const;

/** How the client of MCP servers begins what it prints. */
const OF_CLIENT = /^\[mcp-sdk\] /;

/**
 * From now on each call of `console` becomes one message. Modules and the client of MCP servers run in this process: what they print
 * must neither mix with an answer or with JSON on standard output, nor reach a terminal as it is.
 */
export function divertConsole(onMessage: (message: string) => void): void {
  const say = (...values: readonly unknown[]): void => {
    const text = format(values);
    const isOfClient = OF_CLIENT.test(text);
    onMessage(`${isOfClient ? "the MCP client" : "a module"} prints: ${text.replace(OF_CLIENT, "")}`);
  };
  for (const method of PRINTING) console[method] = say;
  console.dir = (value: unknown) => say(value);
  console.table = (value: unknown) => say(value);
}

/** Loaded when it is first needed: most modules print nothing. */
const format = (values: readonly unknown[]): string => process.getBuiltinModule("node:util").format(...values);
