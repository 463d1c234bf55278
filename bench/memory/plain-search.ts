import type { Conversation } from "./conversations.ts";

const SATURATION = 1.2;
const LENGTH = 0.75;

/** BM25 over speaker and text, without stemming, neighbours or dates: what is compared with. Returns ids, best first. */
export function plainSearch({ entries }: Conversation): (question: string) => readonly string[] {
  const texts = entries.map(({ rawEntry, tags }) => wordsOf(`${tags?.["speaker"] ?? ""} ${rawEntry}`));
  const average = texts.reduce((sum, words) => sum + words.length, 0) / texts.length;
  const having = new Map<string, number>();
  for (const word of texts.flatMap((words) => [...new Set(words)])) having.set(word, (having.get(word) ?? 0) + 1);
  return (question) => {
    const asked = [...new Set(wordsOf(question))];
    const scored = texts.map((words, at) => ({
      at,
      score: asked.reduce((sum, word) => sum + scoreOf(words, word), 0),
    }));
    const found = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
    return found.flatMap(({ at }) => entries[at]?.entryId ?? []);
  };

  function scoreOf(words: readonly string[], word: string): number {
    const count = words.filter((one) => one === word).length;
    if (count === 0) return 0;
    const others = having.get(word) ?? 0;
    const rarity = Math.log(1 + (texts.length - others + 0.5) / (others + 0.5));
    return (
      (rarity * count * (SATURATION + 1)) / (count + SATURATION * (1 - LENGTH + (LENGTH * words.length) / average))
    );
  }
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
