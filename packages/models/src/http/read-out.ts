/** What is needed of a stream's reader; the platform's types of it disagree with each other. */
export interface StreamReader<Value> {
  read(): Promise<{ readonly done: boolean; readonly value?: Value | undefined }>;
  cancel(): Promise<void>;
}

/** How long a stream may stay open after all that matters has come, in milliseconds. */
const longestGoodbye = 1000;

/** Reads out what is left, so that the connection serves the next turn. Never rejects. */
export async function readOut(reader: StreamReader<unknown>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), longestGoodbye);
  try {
    while (!(await reader.read()).done);
  } catch {
    // A connection that broke serves nobody, and the answer is whole already.
  }
  clearTimeout(timer);
}
