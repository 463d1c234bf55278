/** Characters that a tool's name may have with every provider. */
const longestName = 64;

/** The name of a call as every provider takes it. A model may call what is no tool, and its name would spoil each further request. */
export const sentName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longestName) || "tool";
