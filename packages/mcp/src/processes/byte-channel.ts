/** A connection that carries bytes both ways. */
export interface ByteChannel {
  /** Rejects if the other end does not take it. */
  write(text: string): Promise<void>;
  /** Ends the connection. Resolves when that is done. Never rejects. */
  close(): Promise<void>;
}

export interface ChannelEvents {
  /** Resolves when more may come. Never rejects. */
  readonly onBytes: (bytes: Uint8Array) => Promise<void>;
  /** The other end has closed the connection. Called at most once. */
  readonly onEnd: () => void;
}
