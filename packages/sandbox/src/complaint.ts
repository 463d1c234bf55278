/** The most characters of a line that are shown. */
const MAX_LENGTH = 200;

/** The first line of a process's standard error, shortened; "" if there is none. Resolves when the stream is closed. */
export async function firstComplaint(errors: ReadableStream<Uint8Array>): Promise<string> {
  const [line = ""] = (await new Response(errors).text()).split("\n");
  return line.slice(0, MAX_LENGTH);
}
