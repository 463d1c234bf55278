/** What a connection does that has become a WebSocket. Methods must not throw. */
export interface SocketHandler {
  /** Called once, before the first message; `send` does nothing after the end. */
  open(send: (text: string) => void): void;
  message(text: string): void;
  close(): void;
}

/** Makes a WebSocket of the connection of a request; false if the client did not ask for one. */
export type Upgrade = (handler: SocketHandler) => boolean;
