import { realpathSync } from "node:fs";
import { join } from "node:path";

/** Words of one meaning, each meaning a dimension. */
const MEANINGS: readonly (readonly string[])[] = [
  ["instrument", "cello", "violin", "cellist"],
  ["pet", "kitten", "kittens", "dog"],
  ["city", "vienna", "lisbon", "town"],
  ["food", "soup", "bread", "walnut"],
];

export interface EmbeddingServer extends Disposable {
  /** The variables of a program that asks it as `ollama`, with the sqlite-vec of this workspace. */
  readonly environment: Readonly<Record<string, string>>;
  /** The texts of each request, in order. */
  readonly requests: readonly (readonly string[])[];
  /** Makes it refuse from now on. */
  fail(): void;
}

/** A server of embeddings on loopback: a vector says which meanings a text has. It stops when the test's scope ends. */
export function embeddingServer(): EmbeddingServer {
  const requests: (readonly string[])[] = [];
  let isFailing = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body: { readonly input: readonly string[] } = JSON.parse(await request.text());
      if (new URL(request.url).pathname !== "/v1/embeddings" || isFailing)
        return Response.json({ error: { message: "no embeddings today" } }, { status: 503 });
      requests.push(body.input);
      // In another order, as the protocol allows.
      const data = body.input.map((text, index) => ({ index, embedding: meaningsOf(text) })).toReversed();
      return Response.json({ data });
    },
  });
  return {
    environment: { OLLAMA_BASE_URL: `${server.url.href}v1`, MDX_AI_SQLITE_VEC: libraryPath() },
    requests,
    fail: () => {
      isFailing = true;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** The library of the package for this machine, which is beside the main package. */
function libraryPath(): string {
  const folder = realpathSync(join(import.meta.dir, "../../packages/cli/node_modules/sqlite-vec"));
  return join(
    `${folder}-${process.platform}-${process.arch}`,
    process.platform === "darwin" ? "vec0.dylib" : "vec0.so",
  );
}

function meaningsOf(text: string): readonly number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = MEANINGS.map((meaning) => words.filter((word) => meaning.includes(word)).length);
  // Texts without a meaning are alike.
  return [...counts, counts.every((count) => count === 0) ? 1 : 0.01];
}
