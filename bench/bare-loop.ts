/** The floor: a request by `fetch` and its stream read line by line, with no library. Returns the number of chunks. */
export async function bareLoop(base: string): Promise<number> {
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "bench", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "bench", max_tokens: 4096, stream: true, messages: [] }),
  });
  const blocks: { text: string }[] = [];
  const decoder = new TextDecoder();
  let pending = "";
  let chunks = 0;
  for await (const chunk of response.body ?? []) {
    chunks++;
    pending += decoder.decode(chunk, { stream: true });
    const lines = pending.split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) readEvent(JSON.parse(line.slice(6)), blocks);
  }
  return chunks;
}

interface StreamEvent {
  readonly type: string;
  readonly content_block: { text: string };
  readonly delta: { readonly text: string };
}

function readEvent(event: StreamEvent, blocks: { text: string }[]): void {
  const block = blocks.at(-1);
  if (event.type === "content_block_start") blocks.push(event.content_block);
  else if (event.type === "content_block_delta" && block !== undefined) block.text += event.delta.text;
}
