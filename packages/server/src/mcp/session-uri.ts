/** The address of a session as a resource. */
export const sessionUri = (id: string): string => `session://${encodeURIComponent(id)}`;
