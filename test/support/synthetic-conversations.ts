/** Facts of a life: how a person says it, what the other asked before, and how one asks for it much later, in other words. */
interface Fact {
  readonly asked?: string;
  readonly said: string;
  readonly question: string;
}

const FACTS: readonly Fact[] = [
  { said: "I bought a second-hand cello last Tuesday.", question: "When did NAME buy an instrument?" },
  { asked: "What's new with your job?", said: "They made me head of the lab!", question: "What promotion did NAME get at work?" },
  { said: "My daughter adopted two kittens yesterday.", question: "Which pets does NAME's child have?" },
  { asked: "Where would you go if you could leave tomorrow?", said: "Lisbon, no doubt about it.", question: "Which city would NAME leave for?" },
  { said: "We hiked up to the glacier and swam in its lake.", question: "What outdoor activities has NAME done?" },
  { said: "The doctor says my knee needs surgery.", question: "What medical problem does NAME have?" },
  { asked: "How did the exam go?", said: "Failed it by three points, sadly.", question: "By how many points did NAME fail the exam?" },
  { said: "I wrote a short story about lighthouse keepers.", question: "What is the story that NAME was writing about?" },
  { asked: "Did you decide on a colour for the kitchen?", said: "Yes, a dark green one.", question: "Which colour did NAME decide on for the kitchen?" },
  { said: "Mum taught me how to bake her walnut bread.", question: "What did NAME's mother teach?" },
  { said: "I ran my first marathon on Sunday, in under five hours!", question: "Which race did NAME run, and how long did it take?" },
  { asked: "Who is coming to the wedding?", said: "Only my grandparents and two friends.", question: "Who comes to NAME's wedding?" },
  { said: "Our neighbours gave us tickets for the opera.", question: "What gift did NAME receive from the people next door?" },
  { said: "I've been volunteering at the animal shelter since June.", question: "Since when has NAME been a volunteer?" },
  { asked: "What are you reading at the moment?", said: "A history of salt, believe it or not.", question: "What book was NAME reading?" },
  { said: "The festival was cancelled because of the storm.", question: "Why was there no festival for NAME?" },
]; // biome-ignore format: a table

const SMALL_TALK: readonly string[] = [
  "Hey NAME, how have you been?", "That sounds wonderful, NAME!", "I know what you mean.", "Work keeps me busy, as ever.", "The weather has been awful this week.",
  "Tell me more about it!", "I could do with a holiday.", "My kids say hello to you, NAME.", "We should meet for a walk soon.", "I read about that in the paper.",
  "Did you watch the game last night?", "I love a good story.", "The exam season is always hard.", "Green is such a calming colour.", "My knee is fine, thanks for asking.",
  "There was a storm here, too.", "I would love to see the opera one day.", "Bread is all I can bake, NAME.", "The lake was frozen when we were there.", "I have never run that far.",
]; // biome-ignore format: a table

const PEOPLE = [
  ["Anna", "Bert"],
  ["Clara", "David"],
  ["Ewa", "Finn"],
  ["Greta", "Hugo"],
] as const;
const SESSIONS = 16;
const TURNS = 22;
const FACTS_OF_A_SESSION = 2;

/**
 * A data set in LoCoMo's form, the same for each call. It is hard in the ways that conversations are: questions use other words
 * than answers, answers leave out what the question before them named, both speakers talk about the same things, and names are
 * mostly said by the other one.
 */
export function syntheticConversations(): string {
  return JSON.stringify(PEOPLE.map(conversation));
}

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

function conversation([one, other]: (typeof PEOPLE)[number], number: number): object {
  const next = random(number + 1);
  // Each fact is said by both, months apart; who is asked about decides which.
  const facts = shuffled(
    [...FACTS, ...FACTS].map((fact, at) => ({ fact, speaker: at < FACTS.length ? one : other })),
    next,
  );
  const sessions: Record<string, string | readonly Turn[]> = {};
  const qa: object[] = [];
  for (let session = 1; session <= SESSIONS; session++) {
    const turns: Turn[] = [];
    const say = (speaker: string, text: string): string => {
      const addressed = speaker === one ? other : one;
      const id = `D${session}:${turns.length + 1}`;
      turns.push({ speaker, dia_id: id, text: text.replace("NAME", addressed) });
      return id;
    };
    const chat = (count: number): void => {
      for (let turn = 0; turn < count; turn++) say(turns.length % 2 === 0 ? one : other, pick(SMALL_TALK, next));
    };
    for (const { fact, speaker } of facts.splice(0, FACTS_OF_A_SESSION)) {
      chat(3 + Math.floor(next() * 5));
      if (fact.asked !== undefined) say(speaker === one ? other : one, fact.asked);
      const evidence = [say(speaker, fact.said)];
      qa.push({ question: fact.question.replace("NAME", speaker), answer: fact.said, evidence, category: 4 });
    }
    chat(TURNS - turns.length);
    sessions[`session_${session}_date_time`] =
      `${1 + (session % 11)}:30 pm on ${session + 3} ${MONTHS[session % 12]}, 2024`;
    sessions[`session_${session}`] = turns;
  }
  return { sample_id: `made-${number + 1}`, conversation: { speaker_a: one, speaker_b: other, ...sessions }, qa };
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

const pick = (items: readonly string[], next: () => number): string => items[Math.floor(next() * items.length)] ?? "";

const shuffled = <Item>(items: readonly Item[], next: () => number): Item[] =>
  items
    .map((item) => ({ item, order: next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);

function random(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
