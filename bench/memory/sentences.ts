/** Sentences that look like speech: few words are frequent, many are rare. The same seed gives the same. */
export interface Sentences {
  text(): string;
  question(): string;
}

const WORDS = 20_000;
const FREQUENT =
  "i you the a to and it was of in that my we for on have with is so at this but they had are be not really".split(" ");
const SYLLABLES =
  "ba be bi bo ca ce co da de di do fa fe fi ga ge go ha he ho ka ki la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa we".split(
    " ",
  );

export function createSentences(seed: number): Sentences {
  const next = random(seed);
  const word = (least: number): string => wordOf(rankOf(next(), least));
  const words = (least: number, most: number, make: () => string): string =>
    Array.from({ length: least + Math.floor(next() * (most - least)) }, make).join(" ");
  const frequent = (): string => FREQUENT[Math.floor(next() * FREQUENT.length)] ?? "";
  return {
    text: () => words(8, 45, () => (next() < 0.5 ? frequent() : word(0))),
    question: () =>
      `When did ${next() < 0.5 ? "Anna" : "Bert"} ${words(3, 7, () => (next() < 0.3 ? frequent() : word(1)))}?`,
  };
}

/** As in speech, the chance of a word falls with its rank. */
const rankOf = (chance: number, least: number): number =>
  Math.min(WORDS, Math.floor(Math.exp(least + chance * (Math.log(WORDS) - least)))) - 1;

/** A word of its own for each rank. */
function wordOf(rank: number): string {
  const base = SYLLABLES.length;
  const syllable = (at: number): string => SYLLABLES[at % base] ?? "";
  return syllable(rank * 7 + 3) + syllable(Math.floor(rank / base)) + syllable(Math.floor(rank / base / base) + 5);
}

/** Numbers from 0 to below 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
