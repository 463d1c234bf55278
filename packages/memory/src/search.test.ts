import { describe, expect, test } from "bun:test";
import { entry, type TemporaryStore, temporaryStore } from "../../../test/support/open-store.ts";
import { timesIn } from "./search/question.ts";
import { stem } from "./search/stem.ts";
import { createTerms, indexedWords, plainWords } from "./search/words.ts";

const first = async ({ store, ids }: TemporaryStore, query: string, now?: string): Promise<string | undefined> =>
  (await store.search(...ids, query, now === undefined ? {} : { now }))[0]?.entry.rawEntry;

/** From the paper on the stemmer. */
const STEMS = {
  caresses: "caress", ponies: "poni", ties: "ti", cats: "cat", feed: "feed", agreed: "agre", plastered: "plaster", bled: "bled",
  motoring: "motor", sing: "sing", conflated: "conflat", troubled: "troubl", sized: "size", hopping: "hop", tanned: "tan",
  falling: "fall", hissing: "hiss", fizzed: "fizz", failing: "fail", filing: "file", happy: "happi", sky: "sky",
  relational: "relat", conditional: "condit", rational: "ration", digitizer: "digit", operator: "oper", feudalism: "feudal",
  decisiveness: "decis", hopefulness: "hope", formaliti: "formal", triplicate: "triplic", formative: "form", electrical: "electr",
  goodness: "good", revival: "reviv", allowance: "allow", inference: "infer", airliner: "airlin", adjustable: "adjust",
  irritant: "irrit", replacement: "replac", adoption: "adopt", communism: "commun", activate: "activ", effective: "effect",
  probate: "probat", rate: "rate", cease: "ceas", controll: "control", roll: "roll", yes: "ye", a: "a", "2023": "2023", größe: "größe",
}; // biome-ignore format: a table

test("words are stemmed as Porter describes", () => {
  const words = Object.keys(STEMS);
  expect(Object.fromEntries(words.map((word) => [word, stem(word)]))).toStrictEqual(STEMS);
});

test("forms that follow no rule are found by their word", () => {
  const term = createTerms();
  for (const [
    form,
    word,
  ] of [["went", "go"], ["bought", "buying"], ["children", "child"], ["three", "3"], ["feb", "february"]]) // biome-ignore format: pairs
    expect([form, term(form ?? "")]).toStrictEqual([form, term(word ?? "")]);
});

test("words have no accents, and scripts without spaces are read in pairs", () => {
  expect(plainWords("Café, ZÜRICH's don't 3rd")).toStrictEqual(["cafe", "zurich", "s", "don", "t", "3rd"]);
  expect(plainWords("我喜欢茶")).toStrictEqual(["我喜", "喜欢", "欢茶"]);
  expect(plainWords("👋 … !?")).toStrictEqual([]);
});

test.each([
  ["昨日iPhone15を買った", ["昨日", "iphone15", "iphone", "を買", "買っ", "った", "買"]],
  ["내일 회의가 있습니다", ["내일", "회의가", "회의", "의가", "있습니다", "있습", "습니", "니다"]],
  ["ＡＢＣ１２３ ｶﾞｽ ＣＡＦÉ", ["abc123", "abc", "ガス", "cafe"]],
  ["サーバー", ["サー", "ーバ", "バー"]],
  ["ฉันมีแมว", ["ฉั", "ัน", "นม", "มี", "ีแ", "แม", "มว"]],
  ["covid19 3rd mp3 2pm", ["covid19", "covid", "3rd", "mp3", "2pm"]],
])("words of several scripts in one text are read by their script: %s", (text, words) => {
  expect(plainWords(text)).toStrictEqual(words);
});

test("the index has single characters, too", () => {
  expect(indexedWords("我的猫")).toStrictEqual(["我的", "的猫", "我", "的", "猫"]);
  expect(indexedWords("집에 tea")).toStrictEqual(["집에", "집", "에", "tea"]);
});

/** What is said, and questions that find it. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  "昨日iPhone15を買った": ["iPhone", "iPhone15", "IPHONE15", "買", "昨日何を買った?", "ｉＰｈｏｎｅ"],
  "我的猫叫小白": ["猫", "小白", "猫叫什么名字"],
  "내일 회의가 있습니다": ["회의", "회의는 언제?", "내일"],
  "집에 돌아갔다": ["집"],
  "型番はＡＢＣ１２３とｶﾀｶﾅ": ["ABC123", "abc", "カタカナ", "ｶﾀｶﾅ"],
  "私の犬はポチです": ["犬の名前は?", "ポチ", "ﾎﾟﾁ"],
  "ฉันชอบกาแฟมาก": ["กาแฟ"],
  "ຂ້ອຍມັກກິນເຂົ້າ": ["ເຂົ້າ"],
  "ខ្ញុំចូលចិត្តបាយ": ["បាយ"],
  "Python3で書いたCafé用のコード": ["python", "python3", "cafe", "コード"],
}; // biome-ignore format: a table

test.each([0, 1_200])("is found in any script, beside %i other entries", async (others) => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const tags = (session: number) => ({ tags: { session: `${session}` } });
  const filler = Array.from({ length: others }, (_, at) => entry(`今日は天気${at}がいいですね weather${at}`, tags(at)));
  const said = Object.keys(SAID).map((text, at) => entry(text, tags(others + at)));
  await store.addEntries(...ids, [...filler, ...said]);
  for (const [text, questions] of Object.entries(SAID)) {
    for (const question of questions) expect([question, await first(opened, question)]).toStrictEqual([question, text]);
  }
});

/** What is said in a language, and questions that find it by its characters, in other forms of the words. */
const LANGUAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Chinese: {
    去年我搬到东京了: ["东京", "什么时候搬到东京？", "你住在东京吗"],
    我的女儿在学钢琴: ["钢琴", "女儿学什么乐器？", "女儿"],
    这家餐厅的火锅很好吃: ["火锅", "哪家餐厅好吃"],
  },
  Japanese: {
    去年東京に引っ越した: ["東京", "いつ引っ越しましたか？", "東京都"],
    娘はピアノを習っている: ["ピアノ", "娘は何を習っていますか", "ﾋﾟｱﾉ"],
    ラーメンが大好きです: ["ラーメン", "好きな食べ物はラーメン？"],
  },
  Korean: {
    "작년에 서울로 이사했어요": ["서울", "서울에서 언제 이사했나요?", "이사"],
    "딸은 피아노를 배우고 있어요": ["피아노", "딸이 배우는 악기", "피아노는?"],
    "병원에서 의사를 만났다": ["의사가", "병원은 어디?"],
  },
  German: {
    "Wir suchen eine neue Wohnung in Wien": ["Wohnungen", "Wohnungssuche", "Welche Wohnung?"],
    "Der Haustürschlüssel liegt unter der Matte": ["Schlüssel", "SCHLUESSEL Haustür", "Wo ist der Schlüsselbund?"],
    "In unserer Straße stehen alte Häuser": ["Strasse", "Häusern", "Straßen"],
    "Meine Tochter spielt Geige im Schulorchester": ["Töchter", "Orchester", "Geigen"],
  },
  Arabic: {
    "وضعت كتابي على الطاولة": ["الكتاب", "أين كتاب؟", "كِتَاب"],
    "انتقلنا إلى القاهرة في الربيع": ["القاهره وانتقلنا", "ربيع", "بالقاهرة"],
    "ابنتي تتعلم العزف على البيانو": ["بيانو", "ابنتك", "والبيانو"],
  },
}; // biome-ignore format: a table

/** Other sentences of the same language, each with a number. */
const OTHERS: Readonly<Record<string, string>> = {
  Chinese: "今天的天气很好，我们出去散步了",
  Japanese: "今日は天気がいいので散歩しました",
  Korean: "오늘은 날씨가 좋아서 산책했어요",
  German: "Heute war das Wetter schön, also gingen wir spazieren",
  Arabic: "كان الطقس جميلا اليوم فخرجنا نمشي",
};

describe.each([0, 1_200])("beside %i other entries", (others) => {
  test.each(Object.keys(LANGUAGES))("%s is found by its characters", async (language) => {
    await using opened = await temporaryStore();
    const { store, ids } = opened;
    const said = Object.entries(LANGUAGES[language] ?? {});
    const filler = Array.from({ length: others }, (_, at) => `${OTHERS[language]} ${at}`);
    const all = [...filler, ...said.map(([text]) => text)];
    await store.addEntries(...ids, all.map((text, at) => entry(text, { tags: { session: `${at}` } }))); // biome-ignore format: short
    for (const [text, questions] of said) {
      for (const question of questions)
        expect([question, await first(opened, question)]).toStrictEqual([question, text]);
    }
  });
});

const NOW = Date.UTC(2026, 4, 20, 12);

/** Questions on 20 May 2026, a Wednesday, and the first time that each names. */
const TIMES = {
  "What happened yesterday?": ["2026-05-19", "2026-05-20"],
  "What did I say the day before yesterday?": ["2026-05-18", "2026-05-19"],
  "What did we do two weeks ago?": ["2026-05-03", "2026-05-10"],
  "What did we do 3 days ago?": ["2026-05-17", "2026-05-18"],
  "Where were you last week?": ["2026-05-11", "2026-05-18"],
  "What is the plan this month?": ["2026-05-01", "2026-06-01"],
  "What did Anna paint last year?": ["2025-01-01", "2026-01-01"],
  "Who came last May?": ["2026-05-01", "2026-06-01"],
  "Who came last June?": ["2025-06-01", "2025-07-01"],
  "What was it like in 2023?": ["2023-01-01", "2024-01-01"],
  "What happened in October 2023?": ["2023-10-01", "2023-11-01"],
  "Who called on 3 June, 2023?": ["2023-06-03", "2023-06-04"],
  "Who called on August 11th 2023?": ["2023-08-11", "2023-08-12"],
  "And on 2023-02-28?": ["2023-02-28", "2023-03-01"],
  "Where did we go in the summer of 2022?": ["2022-06-01", "2022-09-01"],
  "What did we do last Monday?": ["2026-05-18", "2026-05-19"],
  "What did we do last Wednesday?": ["2026-05-13", "2026-05-14"],
}; // biome-ignore format: a table

test("times in questions are understood", () => {
  const day = (time: number | undefined): string => new Date(time ?? 0).toISOString().slice(0, 10);
  for (const [question, days] of Object.entries(TIMES)) {
    const [range] = timesIn(question, NOW);
    expect([question, day(range?.from), day(range?.to)]).toStrictEqual([question, ...days]);
  }
  expect(timesIn("May I march with you on the 40th? 31 February 2023, version 2023x", NOW)).toStrictEqual([]);
});

test("what was said at the time in question comes first", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const days = ["2024-03-02", "2025-05-12", "2026-05-19", "2026-02-01"];
  await store.addEntries(...ids, days.map((createdAt) => entry(`We had dinner, on ${createdAt.length} plates`, { createdAt, tags: { session: createdAt } }))); // biome-ignore format: short
  const now = "2026-05-20T12:00:00Z";
  const found = async (query: string): Promise<string | undefined> =>
    (await store.search(...ids, query, { now }))[0]?.entry.createdAt.slice(0, 10);
  expect(await found("Where did we have dinner yesterday?")).toBe("2026-05-19");
  expect(await found("Where did we have dinner in March 2024?")).toBe("2024-03-02");
  expect(await found("Where did we have dinner last year?")).toBe("2025-05-12");
  expect(await found("Where did we have dinner three months ago?")).toBe("2026-02-01");
});

test("an answer is found by the question before it", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const said = [
    "Nice weather today.",
    "Which instrument does your daughter play?",
    "The cello, since she was six.",
    "I had soup for lunch.",
  ];
  await store.addEntries(...ids, said.map((text, at) => entry(text, { tags: { speaker: at % 2 === 0 ? "Anna" : "Bert", session: "1" } }))); // biome-ignore format: short
  expect(await first(opened, "What instrument does Anna's daughter play?")).toBe("The cello, since she was six.");
});

test("who is asked about comes before who only mentions the name", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  await store.addEntry(...ids, entry("Anna, I went hiking in the hills", { tags: { speaker: "Bert", session: "1" } }));
  await store.addEntry(...ids, entry("I went hiking by the lake", { tags: { speaker: "Anna", session: "2" } }));
  expect(await first(opened, "Where did Anna go hiking?")).toBe("I went hiking by the lake");
  expect(await first(opened, "Where did Bert go hiking?")).toBe("Anna, I went hiking in the hills");
});

test("a large memory is searched by its index", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const filler = Array.from({ length: 2_500 }, (_, at) =>
    entry(`We spoke about topic${at % 50} and the house again`, {
      tags: { session: `${Math.floor(at / 20)}`, speaker: "Bert" },
    }),
  );
  await store.addEntries(...ids, filler);
  await store.addEntry(...ids, entry("What is your favourite place?", { tags: { session: "last", speaker: "Bert" } }));
  await store.addEntry(...ids, entry("A lighthouse in Brittany", { tags: { session: "last", speaker: "Anna" } }));
  expect(await first(opened, "Which lighthouse did Anna speak about?")).toBe("A lighthouse in Brittany");
  expect(await first(opened, "What is Anna's favourite place?")).toBe("A lighthouse in Brittany");
  expect(await first(opened, "house")).toContain("the house again");
  expect(await first(opened, "Anna")).toBe("A lighthouse in Brittany");
});
