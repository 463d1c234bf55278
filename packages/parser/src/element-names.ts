/** The elements of agent.mdx. */
export const ELEMENTS: readonly string[] = ["Tool", "Param", "Example", "Agent"];

/** The same as alternatives of a regular expression. */
export const ELEMENT_NAMES: string = ELEMENTS.join("|");
