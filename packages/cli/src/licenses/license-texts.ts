/** The licence of this program, then those of all that is bundled with it. The build replaces this file; in a clone nothing is bundled. */
export const LICENSE_TEXTS: string = "";
