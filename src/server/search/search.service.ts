import { namesOf } from '#contract/catalogue/filters.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { type Asks, type Attempt, attemptsOf, type Part } from './attempts.ts';
import { loadEnglish } from './english.ts';
import { asNumberWord, comparable, numberOfWord, singular } from './folded.ts';
import { type KnownWord, Lookup } from './lookup.service.ts';
import { type Wanted, wantedQuery } from './match.ts';
import { type Place, partsOf, type ReadWord, type Term, termsOf } from './understand.ts';
import { keyOf, type Meaning, type Phrase, type Vocabulary } from './vocabulary.ts';

/** What a search may mean. All of its texts are made from the search as it is compared, so that two that find the same have the same. */
export interface Reading {
  /** The fullest reading first, each with what it leaves out in words, and the search without what its filters say. */
  attempts: (Attempt & { without: string[]; plain: string })[];
  /** What no attempt reads, since more was typed than counts, in words. */
  unread: string[];
  /** The kind of piece that the shop does not sell. */
  notSold: string | null;
  /** Searches to offer instead, if the shop has nothing like that kind. */
  nearest: string[];
  /** The pages of the shop that answer it, by their addresses. */
  pages: string[];
  /** The search with its typing errors corrected; null where there was none. */
  corrected: string | null;
  /** The same in single spellings, the likeliest first; none where there was no error. */
  spellings: string[];
  /** What each word that something has may match in the names of categories and of subcategories, as texts of `tsquery`, in their order. */
  words: { categories: string[]; subCategories: string[] };
}

/** What words ask for, by what `[asks]` of the vocabulary leads them to. */
const asksOf = (isTall: boolean): Record<string, Asks> => ({
  'lowest price': { sortBy: 'ascprice' },
  'highest price': { sortBy: 'descprice' },
  'best rated': { sortBy: 'rating' },
  smallest: { sortBy: isTall ? 'lowest' : 'narrowest' },
  largest: { sortBy: isTall ? 'tallest' : 'widest' },
  narrowest: { sortBy: 'narrowest' },
  widest: { sortBy: 'widest' },
  tallest: { sortBy: 'tallest' },
  lowest: { sortBy: 'lowest' },
  new: { newQuery: 'true' },
  'in stock': { inStockQuery: 'true' },
  reduced: { saleQuery: 'true' },
});

const formsOf = (words: readonly KnownWord[]) => words.map(({ word, stem }) => ({ word, stem }));

function wantedOf({ any, except, isLast, kind, meaning }: Term, lookup: Lookup): Wanted | undefined {
  const phrases = any.map((phrase) => phrase.map((word) => lookup.read(word)));
  const [own = []] = phrases;
  // A kind of piece is a whole word: "bed" does not begin "bedside".
  const begun = isLast && kind !== 'piece' ? (own.at(-1)?.begins ?? null) : null;
  const isLabel = own.every((word, index) => word.isLabel || (begun === 'label' && index === own.length - 1));
  const isUsed = own.every((word, index) => word.isUsed || (begun === 'text' && index === own.length - 1));
  const isLed = phrases.slice(1).some((phrase) => phrase.every((word) => word.isLabel));
  if (!isLabel && !isUsed && !isLed) return undefined;
  return {
    any: phrases.map(formsOf),
    except: except.map((phrase) => phrase.map((word) => lookup.read(word))).map(formsOf),
    isLabel: isLabel || isLed,
    isTold: kind !== 'piece' && isUsed && !own.some((word) => word.isKind),
    begun,
    isPhrase: kind === 'piece' && own.length > 1,
    inName: kind === 'piece' && own.length > 1 && meaning.words !== undefined,
    isWhole: own.at(-1)?.isLabel ?? false,
  };
}

/** Whether a term ends with a word of a category. */
const isOfKind = ({ any }: Term, lookup: Lookup) => any.some((phrase) => lookup.read(phrase.at(-1) ?? '').isKind);

/** Bounds in pence or millimetres as a filter's parameters, in pounds or centimetres. */
function boundsOf({ of, min, max }: Amount, isTall: boolean): Asks {
  // The seat of a stool is as high as the stool.
  const side = isTall && /^(?:any side|seatHeight)$/.test(of) ? 'height' : of;
  const [first, last = first] = namesOf(side === 'any side' ? 'width' : side).map(({ query }) => query);
  const units = of === 'price' ? 100 : 10;
  const bounds = [
    [first, min],
    [last, max],
  ] as const;
  return Object.fromEntries(
    bounds.flatMap(([query, bound]) => (query === undefined || bound === undefined ? [] : [[query, String(bound / units)]])),
  );
}

const joined = (names: readonly Phrase[] = []) => names.map((name) => name.join(' ')).join('_');
const colourOf = ({ colours }: Meaning): Asks => ({ colourQuery: joined(colours) });

/** What a term asks for by a filter. */
function filterOf({ any, kind, meaning }: Term): Asks | undefined {
  if (kind === 'colour') return colourOf(meaning);
  if (kind === 'size') return seatsIn(any);
  return kind === 'material' ? { materialQuery: joined(meaning.materials) } : undefined;
}

/** "Two seat" by the filter of seats; "three door" is looked for as words. */
function seatsIn(any: readonly Phrase[]): Asks | undefined {
  const number = any
    .flatMap((phrase) => phrase.map((word, index) => (singular(word) === 'seat' ? numberOfWord(phrase[index - 1] ?? '') : 0)))
    .find(Boolean);
  return number ? { seatsQuery: String(number) } : undefined;
}

interface Noun {
  term: Term;
  wanted: Wanted | undefined;
  isSold: boolean;
}

/** A kind of piece; for one that is not sold, the nearest that is. */
async function nounOf(term: Term, lookup: Lookup): Promise<Noun> {
  const instead = term.meaning['not sold'];
  if (!instead || (await lookup.isSold(term.any))) {
    const wanted = wantedOf(term, lookup);
    return { term, wanted: wanted?.isLabel ? wanted : undefined, isSold: wanted?.isLabel ?? false };
  }
  return {
    term,
    wanted: instead.length > 0 ? wantedOf({ ...term, any: [term.any[0] ?? [], ...instead] }, lookup) : undefined,
    isSold: false,
  };
}

const isCorrected = ({ word, meant }: ReadWord) => meant[0] !== undefined && !meant.includes(asNumberWord(word));

/** Of the spellings that a word may have been meant in, those that make a phrase with the word beside it: "hight chair" is a high chair. */
const withPhrases = (words: readonly ReadWord[], { meanings }: Vocabulary): ReadWord[] =>
  words.map((word, index) => {
    const [before, after] = [words[index - 1], words[index + 1]];
    const isPhrase = (meant: string) =>
      (before && meanings.has(keyOf([before.word, meant]))) || (after && meanings.has(keyOf([meant, after.word])));
    const inPhrase = word.meant.length > 1 ? word.meant.filter(isPhrase) : [];
    return inPhrase.length > 0 ? { ...word, meant: inPhrase } : word;
  });

/** The text with other words in the place of some. */
const spelled = (text: string, words: readonly ReadWord[], spell: (word: ReadWord) => string): string =>
  words.reduceRight((left, word) => left.slice(0, word.from) + spell(word) + left.slice(word.to), text).trim();

/** The text in each likely spelling of its mistyped words: their first ones, their second ones, and so on. */
function spellingsOf(text: string, corrected: readonly ReadWord[]): string[] {
  const most = Math.max(0, ...corrected.map(({ meant }) => meant.length));
  return Array.from({ length: most }, (_, index) => spelled(text, corrected, ({ meant }) => meant[index] ?? meant[0] ?? ''));
}

/** A text without some of its parts, and without the spaces and the hyphens that this leaves; from the last part on, so that none moves. */
const textWithout = (text: string, parts: readonly Place[]) =>
  [...parts]
    .sort((a, b) => b.from - a.from)
    .reduce((left, { from, to }) => `${left.slice(0, from)} ${left.slice(to)}`, text)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,-]+|[\s,-]+$/g, '');

/** Places with nothing between them as one. */
function sideBySide(text: string, places: readonly Place[]): Place[] {
  const joined: Place[] = [];
  for (const { from, to } of places) {
    const before = joined.at(-1);
    if (before && !/[^\s-]/.test(text.slice(before.to, from))) before.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

/** What was typed, without what the vocabulary adds. */
const ownOf = (wanted: Wanted): Wanted => ({ ...wanted, any: wanted.any.slice(0, 1) });

/** A category is named by the last word of a kind: "Lamp" holds table lamps. Of what is shown instead of a kind only the whole name counts. */
const ofCategory = (wanted: Wanted, isSold: boolean): Wanted => ({
  ...wanted,
  any: wanted.any.map((phrase, index) => (index === 0 || isSold ? phrase.slice(-1) : phrase)),
});

/** The kinds of piece of a search, and its other words as parts that can be left out. */
async function partsIn(terms: readonly Term[], lookup: Lookup) {
  const nouns = await Promise.all(terms.filter(({ kind }) => kind === 'piece').map((term) => nounOf(term, lookup)));
  const others = terms.filter(({ kind }) => kind !== 'piece').map((term) => ({ term, wanted: wantedOf(term, lookup) }));
  // Where the vocabulary knows no noun, the last word of a category is it.
  const [kind] = nouns.length > 0 ? [] : others.filter(({ term, wanted }) => wanted && !filterOf(term) && isOfKind(term, lookup)).slice(-1);
  const named = kind?.wanted
    ? [{ ...kind, wanted: kind.wanted }]
    : nouns.flatMap((noun) => (noun.wanted ? [{ ...noun, wanted: noun.wanted }] : []));
  const rest = others.filter((one) => one !== kind);
  // A loveseat is a sofa for two.
  const seated = named.flatMap(({ term }): Part[] => {
    const asks = seatsIn(term.any);
    return asks ? [{ from: term.from, to: term.to, order: 'size', asks }] : [];
  });
  const parts = rest.flatMap(({ term, wanted }): Part[] => {
    // "Stone" alone may be a colour or a material; beside a kind of piece it is the material, or else the colour.
    const instead = term.kind === 'material' && term.meaning.colours ? colourOf(term.meaning) : undefined;
    const asks = instead && named.length === 0 ? undefined : filterOf(term);
    const order = term.kind === 'words' && !wanted?.isLabel ? 'told' : (term.kind as Part['order']);
    // Beside a filter the word as it was typed ranks: "olive" comes before other greens.
    const ranked = wanted && asks ? ownOf(wanted) : wanted;
    return ranked ? [{ from: term.from, to: term.to, order, wanted: ranked, ...(asks && { asks, ...(instead && { instead }) }) }] : [];
  });
  return { nouns, named, parts: [...parts, ...seated], unknown: rest.filter(({ wanted }) => !wanted).map(({ term }) => term) };
}

/** Reads a search: what it asks for, in the words of this catalogue. Without any word or amount there are no attempts. */
export async function readSearch(db: Db, typed: string, vocabulary: Vocabulary): Promise<Reading> {
  const text = comparable(typed);
  const { words, amounts, leftOut } = partsOf(text);
  const lookup = new Lookup(db, vocabulary, await loadEnglish());
  const last = words.slice(-1).map(({ word }) => word);
  await lookup.learn(
    words.map(({ word }) => word),
    last,
  );
  const read = withPhrases(
    words.map((word, index) => ({ ...word, meant: lookup.meant(word.word, index === words.length - 1) })),
    vocabulary,
  );
  const understood = termsOf(read, vocabulary);
  const { terms, pages, isEverything } = understood;
  await lookup.learn(
    terms.flatMap(({ any, except, meaning }) => [...any, ...except, ...(meaning['not sold'] ?? []), ...(meaning.beside ?? [])].flat()),
    read.at(-1)?.meant ?? [],
  );
  const { nouns, named, parts, unknown } = await partsIn(terms, lookup);
  const isTall = nouns.some(({ term }) => term.any.some((phrase) => phrase.some((word) => vocabulary.meanings.get(word)?.tall)));
  const asked = understood.asks.map(({ from, to, meaning }) => {
    const wanted = meaning.asks?.[0]?.join(' ') ?? '';
    // Words that are searched for as well are not left out with what they ask.
    const place = meaning.words ? { from: to, to } : { from, to };
    return { ...place, asks: asksOf(isTall)[wanted] ?? Object.assign({}, ...amountsIn(wanted).map((amount) => boundsOf(amount, isTall))) };
  });
  const isSort = ({ asks }: { asks: Asks }) => 'sortBy' in asks;
  // A search for what is not sold, or for help, finds nothing else instead.
  const isForNothing = named.length === 0 && (nouns.length > 0 || pages.length > 0);
  const attempts = isForNothing
    ? []
    : attemptsOf({
        pieces: named.map(({ wanted }) => wanted),
        parts: [
          ...parts,
          ...amounts.map(
            (amount): Part => ({
              from: amount.from,
              to: amount.to,
              order: amount.of === 'price' ? 'price' : 'length',
              asks: boundsOf(amount, isTall),
            }),
          ),
          ...asked.filter((one) => !isSort(one)).map((one): Part => ({ ...one, order: one.from < one.to ? 'flag' : 'length' })),
        ],
        sort: Object.assign({}, ...asked.filter(isSort).map(({ asks }) => asks)) as Asks,
        leftOut: [...leftOut, ...understood.leftOut, ...(pages.length > 0 ? [] : unknown)],
        isEverything,
      });
  const [missing] = nouns.filter(({ isSold }) => !isSold);
  const beside = named.length > 0 ? [] : (missing?.term.meaning.beside ?? []);
  const areSold = await Promise.all(beside.map((phrase) => lookup.isSold([phrase])));
  // What the vocabulary spells otherwise, such as “draws”, is understood without a word.
  const corrected = read.filter((word) => isCorrected(word) && !vocabulary.meanings.get(keyOf([word.word]))?.misspelt);
  const inOrder = [
    ...named.map(({ term, wanted }) => ({ from: term.from, wanted: { ...wanted, inName: false }, isSold: term !== missing?.term })),
    ...parts.flatMap(({ from, wanted }) => (wanted ? { from, wanted, isSold: true } : [])),
  ].sort((one, other) => one.from - other.from);
  const typedAt = ({ from, to }: Place) => text.slice(from, to).trim();
  const sorts = asked.filter(isSort);
  return {
    attempts: attempts.map((attempt) => ({
      ...attempt,
      without: sideBySide(text, attempt.leftOut).map(typedAt).filter(Boolean),
      plain: textWithout(text, [...attempt.filtered, ...sorts]),
    })),
    unread: leftOut.map(typedAt),
    notSold: missing?.term.text ?? null,
    nearest: beside.filter((_, index) => areSold[index]).map((phrase) => phrase.join(' ')),
    pages,
    corrected: corrected.length === 0 ? null : spelled(text, corrected, ({ meant }) => meant.join(' or ')),
    spellings: spellingsOf(text, corrected),
    words: {
      categories: inOrder.map(({ wanted, isSold }) => wantedQuery(ofCategory(wanted, isSold))),
      subCategories: inOrder.map(({ wanted }) => wantedQuery(wanted)),
    },
  };
}
