import { expect } from "bun:test";
import { entry, type TemporaryStore, temporaryStore } from "./open-store.ts";

/** The text of the best result of a search. */
export const first = async ({ store, ids }: TemporaryStore, query: string, now?: string): Promise<string | undefined> =>
  (await store.search(...ids, query, now === undefined ? {} : { now }))[0]?.entry.rawEntry;

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

/** What is said in a language, and questions that find it by its characters, in other forms of the words. */
export const LANGUAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
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

/** Each text in several scripts is found by its questions beside so many other entries. */
export async function expectScriptsFound(others: number): Promise<void> {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const tags = (session: number) => ({ tags: { session: `${session}` } });
  const filler = Array.from({ length: others }, (_, at) => entry(`今日は天気${at}がいいですね weather${at}`, tags(at)));
  const said = Object.keys(SAID).map((text, at) => entry(text, tags(others + at)));
  await store.addEntries(...ids, [...filler, ...said]);
  for (const [text, questions] of Object.entries(SAID)) {
    for (const question of questions) expect([question, await first(opened, question)]).toStrictEqual([question, text]);
  }
}

/** Each text of a language is found by its questions beside so many other entries of the language. */
export async function expectLanguageFound(language: string, others: number): Promise<void> {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const said = Object.entries(LANGUAGES[language] ?? {});
  const filler = Array.from({ length: others }, (_, at) => `${OTHERS[language]} ${at}`);
  const all = [...filler, ...said.map(([text]) => text)];
  await store.addEntries(...ids, all.map((text, at) => entry(text, { tags: { session: `${at}` } }))); // biome-ignore format: short
  for (const [text, questions] of said) {
    for (const question of questions) expect([question, await first(opened, question)]).toStrictEqual([question, text]);
  }
}
