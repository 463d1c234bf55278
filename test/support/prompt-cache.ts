/** A prompt cache as Anthropic describes its own, to tell from the bodies of requests what would have been read from it. */

type Fields = Readonly<Record<string, unknown>>;

/** Blocks before a cache point that the API looks at for a prefix that it has. */
const LOOK_BACK = 20;

/** Cache points that a request may have. */
const MAX_POINTS = 4;

/** What a request has to read. Bytes of JSON. */
export interface CacheUse {
  readonly bytes: number;
  /** Of these, from the cache. */
  readonly cached: number;
  readonly points: number;
}

/** A cache that sees requests in their order, each when the one before is answered. */
class PromptCache {
  /** Prefixes that ended at a cache point once. */
  readonly #prefixes = new Set<string>();

  /** What is read for a request, whose prefixes are kept afterwards. Throws where it has too many cache points. */
  read(body: unknown): CacheUse {
    const blocks = blocksOf(body);
    const points = blocks.flatMap(({ isPoint }, place) => (isPoint ? [place] : []));
    if (points.length > MAX_POINTS) throw new Error(`${points.length} cache points`);
    const cached = Math.max(0, ...points.map((point) => this.#cachedBefore(blocks, point)));
    for (const point of points) this.#prefixes.add(prefixOf(blocks, point));
    return { bytes: bytesOf(blocks, blocks.length - 1), cached, points: points.length };
  }

  #cachedBefore(blocks: readonly Block[], point: number): number {
    for (let place = point; place >= 0 && place > point - LOOK_BACK; place--) {
      if (this.#prefixes.has(prefixOf(blocks, place))) return bytesOf(blocks, place);
    }
    return 0;
  }
}

/** What is read for each of several requests in a row. */
export function cacheUses(bodies: readonly unknown[]): CacheUse[] {
  const cache = new PromptCache();
  return bodies.map((body) => cache.read(body));
}

interface Block {
  readonly text: string;
  readonly isPoint: boolean;
}

/** All that a model reads, in the order in which it is cached: tools, system prompt, messages. */
function blocksOf(body: unknown): readonly Block[] {
  const { tools, system, messages } = fieldsOf(body);
  const said = listOf(messages).flatMap((message) => {
    const { role, content } = fieldsOf(message);
    return listOf(content).map((block) => ({ role, ...fieldsOf(block) }));
  });
  return [...listOf(tools), ...listOf(system), ...said].map((block) => {
    const { cache_control, ...rest } = fieldsOf(block);
    return { text: JSON.stringify(rest), isPoint: cache_control !== undefined };
  });
}

const prefixOf = (blocks: readonly Block[], last: number): string =>
  Bun.hash(
    blocks
      .slice(0, last + 1)
      .map(({ text }) => text)
      .join("\n"),
  ).toString();

const bytesOf = (blocks: readonly Block[], last: number): number =>
  blocks.slice(0, last + 1).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
