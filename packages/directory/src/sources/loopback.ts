/** Whether a host name is this machine, or an address of a private network, which no server elsewhere may lead to. */
export const isPrivateHost = (hostname: string): boolean =>
  isLoopbackHost(hostname) ||
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname) ||
  /^\[(?:f[cd]|fe[89ab]|::)/i.test(hostname) ||
  /\.(?:local|localhost|internal)$/i.test(hostname);

/** Whether a host name of an address, without its port, is this machine itself. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
