/**
 * Seconds of silence after which an answer counts as broken, where nobody says. Of one that does not stream nothing comes
 * before all of it is there.
 */
export const defaultTimeout = (isStreaming: boolean): number => (isStreaming ? 120 : 600);
