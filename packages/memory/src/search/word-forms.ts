/** Irregular English forms, short names of days and months, and numbers. Each line: the word, then its forms. No synonyms. */
const FORMS = `
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bind bound|bite bit bitten
bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk
drive drove driven|dwell dwelt|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fling flung|fly flew flown
forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|give gave given|go went gone|grind ground
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|leap leapt
learn learnt|leave left|lend lent|light lit|lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame
pay paid|prove proven|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent
sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat
sleep slept|slide slid|smell smelt|sow sown|speak spoke spoken|speed sped|spell spelt|spend spent|spill spilt|spin spun|spoil spoilt
spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck|string strung|swear swore sworn
sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
throw threw thrown|understand understood|undertake undertook undertaken|wake woke woken|wear wore worn|weave wove woven|weep wept
win won|wind wound|withdraw withdrew withdrawn|write wrote written
child children|man men|woman women|foot feet|tooth teeth|goose geese|mouse mice|life lives|wife wives|knife knives
leaf leaves|half halves|shelf shelves|loaf loaves|thief thieves|wolf wolves|calf calves|scarf scarves|datum data|criterion criteria
good better best|bad worse worst
monday mon|tuesday tue tues|wednesday|thursday thu thurs|friday fri
january jan|february feb|april apr|august aug|september sep sept|october oct|november nov|december dec
0 zero|1 one first 1st|2 two second 2nd|3 three third 3rd|4 four fourth 4th|5 five fifth 5th|6 six sixth 6th|7 seven seventh 7th
8 eight eighth 8th|9 nine ninth 9th|10 ten tenth 10th|11 eleven eleventh 11th|12 twelve twelfth 12th|13 thirteen 13th|14 fourteen 14th
15 fifteen 15th|16 sixteen 16th|17 seventeen 17th|18 eighteen 18th|19 nineteen 19th|20 twenty 20th|30 thirty 30th|40 forty|50 fifty
60 sixty|70 seventy|80 eighty|90 ninety|100 hundred|1000 thousand`;

/** The base word of a form; absent for base words. */
export const WORD_OF: ReadonlyMap<string, string> = new Map(
  FORMS.split(/[|\n]/).flatMap((line) => {
    const [word = "", ...forms] = line.split(" ");
    return forms.map((form) => [form, word] as const);
  }),
);
