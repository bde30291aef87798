/** A material, its synonyms of one or two words, and words that must not follow them: a linen press is a cupboard. */
interface Material {
  name: string;
  words: readonly string[];
  notBefore?: readonly string[];
}

const UPHOLSTERY = ['Leather', 'Velvet', 'Wool', 'Cotton', 'Tweed', 'Chenille', 'Canvas', 'Sheepskin', 'Silk'];

const VOCABULARY: readonly Material[] = [
  ...['Oak', 'Walnut', 'Ash', 'Beech', 'Birch', 'Cherry', 'Elm', 'Pine', 'Teak', 'Maple', 'Acacia', 'Mango', 'Bamboo', 'Plywood'],
  ...[...UPHOLSTERY, 'Jute'],
  ...['Marble', 'Travertine', 'Slate', 'Granite', 'Terrazzo', 'Concrete', 'Glass', 'Stoneware', 'Porcelain', 'Terracotta'],
  ...['Brass', 'Copper', 'Pewter', 'Chrome', 'Bronze'],
]
  .map((name): Material => ({ name, words: [name] }))
  .concat([
    { name: 'Rattan', words: ['rattan', 'cane', 'wicker'] },
    { name: 'Paper cord', words: ['paper cord'] },
    { name: 'Bouclé', words: ['bouclé', 'boucle'] },
    { name: 'Corduroy', words: ['corduroy'] },
    {
      name: 'Linen',
      words: ['linen'],
      notBefore: ['press', 'presses', 'cupboard', 'basket', 'chest', 'shade', 'shades', 'lampshade', 'drum', 'cushion', 'cushions'],
    },
    { name: 'Ceramic', words: ['ceramic', 'earthenware'] },
    { name: 'Steel', words: ['steel'] },
    { name: 'Iron', words: ['iron'] },
    { name: 'Aluminium', words: ['aluminium', 'aluminum'] },
  ]);

const BY_WORD = new Map(VOCABULARY.flatMap(({ name, words }) => words.map((word) => [word.toLowerCase(), name] as const)));
const BY_NAME = new Map(VOCABULARY.map(({ name }) => [name.toLowerCase(), name]));
const FIRST_OF_TWO = new Set([...BY_WORD.keys()].flatMap((words) => (words.includes(' ') ? words.split(' ')[0] : [])));
const EXCEPTIONS = new Map(VOCABULARY.flatMap(({ name, notBefore }) => (notBefore ? [[name, new Set(notBefore)] as const] : [])));
/** Whether a material covers seats, such as leather. */
export const isUpholstery = (name: string): boolean => [...UPHOLSTERY, 'Bouclé', 'Corduroy', 'Linen'].includes(name);

/** Small metal parts: a wardrobe with brass knobs is not a brass wardrobe. */
const FITTING = /^(?:knob|handle|hinge|runner|slide|screw|rivet)s?$/;
/** Marks a sentence about an accessory. */
const ACCESSORY = /\b(?:is|are) (?:not )?included\b/i;

function materialsIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+|[,:]/gu) ?? [];
  return words.flatMap((word, at) => {
    const [next = '', afterNext = ''] = [words[at + 1], words[at + 2]];
    const name = BY_WORD.get(word) ?? (FIRST_OF_TWO.has(word) ? BY_WORD.get(`${word} ${next}`) : undefined);
    if (!name || EXCEPTIONS.get(name)?.has(next)) return [];
    return FITTING.test(next) || (/\p{L}/u.test(next) && FITTING.test(afterNext)) ? [] : [name];
  });
}

/** The materials that a product's texts name, without duplicates; those of the name come first. */
export function materialsOf({ name, subCategory, description }: { name: string; subCategory: string; description: string }): string[] {
  const sentences = description.split(/[.;]/).filter((sentence) => !ACCESSORY.test(sentence));
  const texts = [name, subCategory, ...sentences].map((text) => text.normalize());
  return [...new Set(texts.flatMap(materialsIn))];
}

/** The material of a word in lower case: "cane" is Rattan. An unknown word is returned unchanged, and matches no product. */
export const materialNamed = (word: string): string => BY_NAME.get(word) ?? BY_WORD.get(word) ?? word;
