/** Characters of a line that are shown. */
const MAX_LENGTH = 200;

/** The first line that a process wrote to its errors, cut; "" if there is none. Resolves when it has closed them. */
export async function firstComplaint(errors: ReadableStream<Uint8Array>): Promise<string> {
  const [line = ""] = (await new Response(errors).text()).split("\n");
  return line.slice(0, MAX_LENGTH);
}
