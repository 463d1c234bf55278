/** A sentence of its own, of what may stand within one. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
