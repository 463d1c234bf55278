/** How a text arrived: its length, and in how many steps. */
export interface Arrival {
  readonly characters: number;
  readonly steps: number;
}

interface StreamEvent {
  readonly type: string;
  readonly content_block: { text: string };
  readonly delta: { readonly text: string };
}

/** The floor of reading one answer: a request by `fetch`, its stream read line by line, and no library. A step is a chunk. */
export async function bareLoop(origin: string): Promise<Arrival> {
  const response = await fetch(`${origin}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "bench", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "bench", max_tokens: 4096, stream: true, messages: [] }),
  });
  const blocks: { text: string }[] = [];
  const decoder = new TextDecoder();
  let pending = "";
  let steps = 0;
  for await (const chunk of response.body ?? []) {
    steps++;
    const lines = (pending + decoder.decode(chunk, { stream: true })).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) readEvent(JSON.parse(line.slice(6)), blocks);
  }
  return { characters: blocks[0]?.text.length ?? 0, steps };
}

function readEvent(event: StreamEvent, blocks: { text: string }[]): void {
  const block = blocks.at(-1);
  if (event.type === "content_block_start") blocks.push(event.content_block);
  else if (event.type === "content_block_delta" && block !== undefined) block.text += event.delta.text;
}
