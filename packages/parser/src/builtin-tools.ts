/** The tools of every agent, unless its settings restrict them. No other tool may take their names. */
export const builtinToolNames = ["bash", "read_file", "write_file"] as const;
