// How long it takes from an abort until the server sees its connection closed: before the answer is read on, and while it
// is waited for. Prints the median and the longest of the rounds for each protocol. Usage: bun bench/abort.ts
import { type LanguageModel, openModel } from "@mdx-ai/models";

const ROUNDS = 50;
/** The promise. Milliseconds. */
const MAX_COUNT = 50;

const now = (): number => performance.timeOrigin + performance.now();

/** Begins an answer and aborts it; gives the time of the abort. */
async function abortOne(model: LanguageModel, isListening: boolean): Promise<number> {
  const controller = new AbortController();
  const messages = [{ role: "user", content: [{ type: "text", text: "Go on." }], timestamp: 0 }] as const;
  let abortedAt = 0;
  const abort = (): void => {
    abortedAt = now();
    controller.abort();
  };
  for await (const event of model.stream({ system: "", tools: [], messages }, controller.signal)) {
    if (event.type === "error" && event.message.stopReason !== "aborted") throw event.error;
    if (event.type !== "text_delta") continue;
    if (isListening) setTimeout(abort, 5);
    else abort();
  }
  return abortedAt;
}

async function measure(model: LanguageModel, closings: AsyncIterator<string>): Promise<number[]> {
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const abortedAt = await abortOne(model, round % 2 === 0);
    const { value } = await closings.next();
    waits.push(Number(value) - abortedAt);
  }
  return waits.toSorted((a, b) => a - b);
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

const server = Bun.spawn([process.execPath, `${import.meta.dir}/abort-server.ts`], { stdout: "pipe" });
try {
  const lines = linesOf(server.stdout);
  const { value: origin } = await lines.next();
  for (const vendor of ["anthropic", "openai"]) {
    const variable = vendor.toUpperCase();
    const environment = { [`${variable}_API_KEY`]: "bench-key", [`${variable}_BASE_URL`]: String(origin) };
    const waits = await measure(await openModel(`${vendor}/bench`, { environment }), lines);
    const [median = Number.NaN, longest = Number.NaN] = [waits[Math.floor(waits.length / 2)], waits.at(-1)];
    console.log(
      `${vendor}: an abort closes its connection in ${median.toFixed(1)} ms, at most ${longest.toFixed(1)} ms`,
    );
    if (longest > MAX_COUNT) process.exitCode = 1;
  }
} finally {
  server.kill();
}
