/** Classes of things: a question with one of the names may mean any member. Each line: names of the class, a colon, its members. */
const CLASSES = `
activity hobby pastime interest leisure fun relax destress unwind enjoy: paint draw pottery swim hike camp read run cook bake garden dance sing yoga knit sew photography fish ski surf climb cycle bike skate meditate puzzle chess game craft woodwork bowl jog walk museum concert beach park piano guitar violin
pet animal: dog cat hamster rabbit bird parrot turtle fish snake lizard guinea horse pony goldfish
instrument music musician: guitar piano violin drum flute clarinet saxophone cello trumpet ukulele keyboard bass harp
music artist musician band singer song: concert album singer band song sing melody tune rock jazz classical pop
sport team exercise workout fitness: basketball soccer football tennis baseball hockey volleyball golf swim run marathon gym yoga cycle climb surf ski boxing kickboxing karate weight train hike race
food meal dish cuisine eat recipe cook snack: pizza pasta salad soup bread cheese chicken beef rice sushi taco burger sandwich dinner lunch breakfast vegetable fruit cake cookie salmon steak curry noodle dessert
dessert sweet treat bake: cake cookie pie chocolate brownie cupcake muffin pastry ice cream pudding tart
drink beverage: coffee tea juice wine beer cocktail soda water milk smoothie
family relative: mother father sister brother cousin aunt uncle grandmother grandfather wife husband son daughter child niece nephew parent
child: son daughter boy girl baby toddler teenager
partner relationship romantic marital status: wife husband boyfriend girlfriend marry wed single divorce date engage breakup fiance
country travel trip visit place location destination city move live: italy france spain germany england uk london paris rome greece japan tokyo china india canada mexico brazil australia sweden norway ireland scotland thailand turkey egypt portugal netherlands switzerland york chicago boston seattle miami california texas florida hawaii alaska colorado barcelona berlin vienna
book author reading genre: novel story fantasy mystery series chapter fiction poem poetry biography read
movie show watch genre: movie film series episode drama comedy thriller documentary actor trilogy cinema
game: chess console nintendo playstation xbox tournament card board puzzle multiplayer strategy
vehicle: car truck van motorcycle bike bus boat train prius
health illness medical condition problem injury: doctor hospital surgery pain sick injury sprain ankle knee heart diabetes asthma allergy gastritis cancer flu fever weight diet therapy medicine diagnose
emotion feel feeling mood: happy sad proud excite nervous anxious stress angry grateful thankful lonely love scare frustrate upset relieve overwhelm
job career work profession business company: work office boss colleague promotion interview hire fire teacher engineer nurse banker lawyer manager startup store salary project
school education study degree: college university class course exam teacher student graduate professor certification research thesis assignment
art artwork craft creative: paint draw sculpture pottery sketch clay canvas photography portrait mural
nature outdoor: mountain beach lake forest river park trail sunset sunrise ocean wood waterfall campfire star
weather disaster: rain snow storm flood hurricane fire earthquake wind sunny
clothes clothing accessory outfit: dress shirt shoe necklace hat jacket jean sweater ring bracelet scarf hoodie
event celebration: wed birthday party festival parade conference ceremony concert fair fundraiser holiday anniversary gala reunion competition
color colour: red blue green yellow purple pink orange black white brown grey
volunteer charity community help cause: donate shelter fundraiser homeless veteran volunteer food drive charity campaign mentor
achievement award accomplishment success goal: medal trophy prize win award first finish promotion graduate championship certificate milestone
religion spiritual faith belief: church pray faith god bible temple meditate
plant flower: rose sunflower tulip lily garden tree succulent basil tomato seed
gift: necklace book card bouquet bracelet receive surprise
skill learn: class course lesson practice study workshop
friend: buddy pal bestie
house home: apartment flat room kitchen rent mortgage move roommate
technology device gadget: phone laptop computer app tablet camera console software drone
identity: gender transgender gay lesbian woman man nationality
reason why: because inspire motivate
money finance budget: save pay debt loan invest cost afford salary
`;

/** The members of the classes that a term names, as terms. */
export function readWordClasses(term: (word: string) => string): ReadonlyMap<string, ReadonlySet<string>> {
  const classes = new Map<string, Set<string>>();
  for (const line of CLASSES.trim().split("\n")) {
    const [names = [], members = []] = line.split(": ").map((words) => words.split(" ").map(term));
    for (const name of names) classes.set(name, new Set([...(classes.get(name) ?? []), ...members]));
  }
  return classes;
}
