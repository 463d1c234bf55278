const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether a name of a host is of this machine alone. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
