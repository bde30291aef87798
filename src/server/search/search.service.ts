import { namesOf } from '#contract/catalogue/filters.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { AMOUNT_WORDS, type Amount, amountsIn } from './amounts.ts';
import { type Asks, type Attempt, attemptsOf, type Part, type PartKind } from './attempts.ts';
import { loadEnglish } from './english.ts';
import { comparable, isNumberWord, numberOfWord, type Place, singular, type TypedWord } from './folded.ts';
import { Lookup } from './lookup.service.ts';
import { type Wanted, wantedQuery } from './match.ts';
import { type ReadWord, splitSearch, type Term, termsOf } from './understand.ts';
import { type Meaning, meaningOf, type Phrase, type Vocabulary } from './vocabulary.ts';

/** What a search may mean. All of its texts are cut from the comparable search, so that searches with the same results share one answer. */
export interface Reading {
  /** The most complete first. `leftOutTexts` is what an attempt leaves out, `plain` the search without the text of its filters. */
  attempts: (Attempt & { leftOutTexts: string[]; plain: string })[];
  /** The text beyond the limits on words and amounts, which no attempt reads. */
  unread: string[];
  /** The kind of piece that the shop does not sell. */
  notSold: string | null;
  /** Searches to offer instead, if the shop has nothing like that kind. */
  nearest: string[];
  /** The URLs of the shop's pages that answer it. */
  pages: string[];
  /** The search with its typing errors corrected, with all likely spellings of a word; null without errors. */
  corrected: string | null;
  /** The corrected search in one spelling each, the likeliest first. */
  spellings: string[];
  /** For each word that the catalogue has, in order, the `tsquery` that matches the names of categories and of subcategories. */
  kindQueries: { categories: string[]; subCategories: string[] };
}

/** The sorts and filters behind the terms of the vocabulary's section `[asks]`. */
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

/** What products must have for a term; undefined if the catalogue has none of its phrases. */
function wantedOf({ alternatives, except, isLast, kind, meaning }: Term, lookup: Lookup): Wanted | undefined {
  const read = (phrase: Phrase) => phrase.map((word) => lookup.read(word));
  const phrases = alternatives.map(read);
  const [typed = [], ...synonyms] = phrases;
  // A kind of piece is a whole word: "bed" does not begin "bedside".
  const begun = isLast && kind !== 'piece' ? (typed.at(-1)?.begins ?? null) : null;
  const isLabel = typed.every((word, index) => word.isLabel || (begun === 'label' && index === typed.length - 1));
  const isUsed = typed.every((word, index) => word.isUsed || (begun === 'text' && index === typed.length - 1));
  const hasSynonym = synonyms.some((phrase) => phrase.every((word) => word.isLabel));
  if (!isLabel && !isUsed && !hasSynonym) return undefined;
  const isPhrase = kind === 'piece' && typed.length > 1;
  return {
    alternatives: phrases,
    except: except.map(read),
    isLabel: isLabel || hasSynonym,
    // “Three-door” makes a number the word of a category.
    inDescriptions: kind !== 'piece' && isUsed && !typed.some(({ word, isKind }) => isKind && !(kind === 'words' && isNumberWord(word))),
    begun,
    isPhrase,
    inName: isPhrase && meaning.words !== undefined,
    isWhole: typed.at(-1)?.isLabel ?? false,
  };
}

/** A number as a word of names, such as of the size “160 cm”; undefined if nothing is called so. */
function namedBy(number: string, lookup: Lookup): Wanted | undefined {
  const word = lookup.read(number);
  if (!word.isLabel) return undefined;
  return { alternatives: [[word]], except: [], isLabel: true, inDescriptions: false, begun: null, isWhole: true };
}

/** Whether a term ends with a word of a category. */
const isOfKind = ({ alternatives }: Term, lookup: Lookup) => alternatives.some((phrase) => lookup.read(phrase.at(-1) ?? '').isKind);

/** Bounds in pence or millimetres as a filter's parameters, in pounds or centimetres. */
function boundsOf({ measure, min, max }: Amount, isTall: boolean): Asks {
  // The seat of a stool is as high as the stool.
  const side = isTall && /^(?:any side|seatHeight)$/.test(measure) ? 'height' : measure;
  const [first, last = first] = namesOf(side === 'any side' ? 'width' : side).map(({ query }) => query);
  const factor = measure === 'price' ? 100 : 10;
  const asks: Asks = {};
  if (first && min !== undefined) asks[first] = String(min / factor);
  if (last && max !== undefined) asks[last] = String(max / factor);
  return asks;
}

const joined = (names: readonly Phrase[] = []) => names.map((name) => name.join(' ')).join('_');
const colourOf = ({ colours }: Meaning): Asks => ({ colourQuery: joined(colours) });

/** The filter that a term stands for; undefined if it is searched for as words. */
function filterOf({ alternatives, kind, meaning }: Term): Asks | undefined {
  if (kind === 'colour') return colourOf(meaning);
  if (kind === 'size') return seatsIn(alternatives);
  return kind === 'material' ? { materialQuery: joined(meaning.materials) } : undefined;
}

/** "Two seat" becomes the filter of seats; "three door" is searched for as words. */
function seatsIn(alternatives: readonly Phrase[]): Asks | undefined {
  const number = alternatives
    .flatMap((phrase) => phrase.map((word, index) => (singular(word) === 'seat' ? numberOfWord(phrase[index - 1] ?? '') : 0)))
    .find(Boolean);
  return number ? { seatsQuery: String(number) } : undefined;
}

/** A kind of piece, or what the vocabulary names instead of one that is not sold. */
async function nounOf(term: Term, lookup: Lookup) {
  const instead = term.meaning['not sold'];
  if (instead && !(await lookup.isSold(term.alternatives))) {
    const wanted = instead.length > 0 ? wantedOf({ ...term, alternatives: [term.alternatives[0] ?? [], ...instead] }, lookup) : undefined;
    return { term, wanted, isSold: false };
  }
  const wanted = wantedOf(term, lookup);
  const isSold = wanted?.isLabel ?? false;
  return { term, wanted: isSold ? wanted : undefined, isSold };
}

const isCorrected = ({ word, meant }: ReadWord) => meant[0] !== undefined && !meant.includes(word);

/** Of several likely spellings, prefers those that make a phrase with a neighbouring word: "hight chair" is a high chair. */
const withPhrases = (words: readonly ReadWord[], vocabulary: Vocabulary): ReadWord[] =>
  words.map((word, index) => {
    const [before, after] = [words[index - 1], words[index + 1]];
    const isPhrase = (meant: string) =>
      (before && meaningOf(vocabulary, [before.word, meant])) || (after && meaningOf(vocabulary, [meant, after.word]));
    const inPhrase = word.meant.length > 1 ? word.meant.filter(isPhrase) : [];
    return inPhrase.length > 0 ? { ...word, meant: inPhrase } : word;
  });

/** The text with some of its words spelled otherwise. */
const spelled = (text: string, words: readonly ReadWord[], spell: (word: ReadWord) => string): string =>
  words.reduceRight((left, word) => left.slice(0, word.from) + spell(word) + left.slice(word.to), text).trim();

/** The text with the first spelling of each mistyped word, then with the second of each, and so on. */
function spellingsOf(text: string, corrected: readonly ReadWord[]): string[] {
  const most = Math.max(0, ...corrected.map(({ meant }) => meant.length));
  return Array.from({ length: most }, (_, index) => spelled(text, corrected, ({ meant }) => meant[index] ?? meant[0] ?? ''));
}

/** Cuts parts out of a text, with the spaces and hyphens that this leaves. The last part is cut first, so that the places of the others hold. */
const textWithout = (text: string, parts: readonly Place[]) =>
  [...parts]
    .sort((a, b) => b.from - a.from)
    .reduce((left, { from, to }) => `${left.slice(0, from)} ${left.slice(to)}`, text)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,-]+|[\s,-]+$/g, '');

/** Joins places with only spaces and hyphens between them. */
function joinNeighbours(text: string, places: readonly Place[]): Place[] {
  const joined: Place[] = [];
  for (const { from, to } of places) {
    const before = joined.at(-1);
    if (before && !/[^\s-]/.test(text.slice(before.to, from))) before.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

/**
 * Matches the names of categories by the last word of a kind: "Lamp" holds table lamps. Kinds that are shown instead of one that is not sold must match
 * with all words.
 */
const ofCategory = (wanted: Wanted, isSold: boolean): Wanted => ({
  ...wanted,
  alternatives: wanted.alternatives.map((phrase, index) => (index === 0 || isSold ? phrase.slice(-1) : phrase)),
});

/** The kinds of piece of a search, and its other words as parts that can be left out. */
async function partsIn(terms: readonly Term[], lookup: Lookup) {
  const nouns = await Promise.all(terms.filter(({ kind }) => kind === 'piece').map((term) => nounOf(term, lookup)));
  const others = terms.filter(({ kind }) => kind !== 'piece').map((term) => ({ term, wanted: wantedOf(term, lookup) }));
  // If the vocabulary knows no noun, the last term that a category is called is the noun.
  const isNoun = ({ term, wanted }: (typeof others)[number]) => wanted && !filterOf(term) && isOfKind(term, lookup);
  const lastNoun = nouns.length > 0 ? undefined : others.findLast(isNoun);
  const named = (lastNoun ? [lastNoun] : nouns).flatMap(({ term, wanted }) => (wanted ? [{ term, wanted }] : []));
  const rest = others.filter((one) => one !== lastNoun);
  // A loveseat is a sofa for two. Of several kinds, only some have seats.
  const seated = (named.length > 1 ? [] : named).flatMap(({ term: { alternatives, from, to } }): Part[] => {
    const asks = seatsIn(alternatives);
    return asks ? [{ from, to, kind: 'size', asks }] : [];
  });
  const isMaterialNamed = rest.some(({ term: { kind, meaning } }) => kind === 'material' && !meaning.colours);
  const parts = rest.flatMap(({ term, wanted }): Part[] => {
    if (!wanted) return [];
    const { kind, meaning, from, to } = term;
    const partKind = kind === 'words' && !wanted.isLabel ? 'description' : (kind as PartKind);
    // "Stone" alone may be a colour or a material; beside a material it is a colour, and beside a kind of piece a material, or else a colour.
    const colour = kind === 'material' && meaning.colours ? colourOf(meaning) : undefined;
    const instead = isMaterialNamed ? undefined : colour;
    const asks = colour && isMaterialNamed ? colour : colour && named.length === 0 ? undefined : filterOf(term);
    if (!asks) return [{ from, to, kind: partKind, wanted }];
    // Beside a filter the typed word ranks, without its synonyms: "olive" comes before other greens.
    const typed = { ...wanted, alternatives: wanted.alternatives.slice(0, 1) };
    return [{ from, to, kind: partKind, wanted: typed, asks, ...(instead && { instead: { asks: instead } }) }];
  });
  return { nouns, named, parts: [...parts, ...seated], unknown: rest.filter(({ wanted }) => !wanted).map(({ term }) => term) };
}

/** The filters and sorts that terms of `[asks]` ask for, with their places. */
function requestsOf(terms: readonly Term[], isTall: boolean) {
  return terms.map(({ from, to, meaning }) => {
    const request = meaning.asks?.[0]?.join(' ') ?? '';
    const bounds = amountsIn(request).map((amount) => boundsOf(amount, isTall));
    const asks: Asks = asksOf(isTall)[request] ?? Object.assign({}, ...bounds);
    // A term that is also searched for as words has an empty place, so that these stay in the text.
    return { from: meaning.words ? to : from, to, asks };
  });
}

/** Reads a search with the words of this catalogue. A search without any word or amount has no attempts. */
export async function readSearch(db: Db, typed: string, vocabulary: Vocabulary): Promise<Reading> {
  const text = comparable(typed);
  const { words, amounts, leftOut } = splitSearch(text);
  const lookup = new Lookup(db, vocabulary, await loadEnglish());
  const texts = words.map(({ word }) => word);
  const numberAt = ({ from, to }: Place) => /\d+/.exec(text.slice(from, to))?.[0] ?? '';
  const lengths = amounts.filter(({ measure }) => measure === 'any side');
  await lookup.learn([...texts, ...lengths.map(numberAt)], texts.slice(-1));
  const isLast = (word: TypedWord) => word.to === words.at(-1)?.to;
  const parted = words.flatMap((word) => lookup.split(word, isLast(word)));
  const likely = parted.map((word): ReadWord => ({ ...word, meant: lookup.meant(word.word, isLast(word)) }));
  const read = withPhrases(likely, vocabulary);
  // “Two hunded pounds” is read again as an amount.
  const ofAmounts = read.filter((word) => isCorrected(word) && AMOUNT_WORDS.includes(word.meant[0] ?? ''));
  const withAmounts = spelled(text, ofAmounts, ({ meant }) => meant[0] ?? '');
  if (ofAmounts.length > 0) return readSearch(db, withAmounts, vocabulary);
  const understood = termsOf(read, vocabulary);
  const { terms, pages, isEverything } = understood;
  await lookup.learn(
    terms.flatMap(({ alternatives, except, meaning }) =>
      [...alternatives, ...except, ...(meaning['not sold'] ?? []), ...(meaning.beside ?? [])].flat(),
    ),
    read.at(-1)?.meant ?? [],
  );
  const { nouns, named, parts, unknown } = await partsIn(terms, lookup);
  const isTall = nouns.some(({ term }) => term.alternatives.some((phrase) => phrase.some((word) => meaningOf(vocabulary, [word])?.tall)));
  const requests = requestsOf(understood.asks, isTall);
  const sorts = requests.filter(({ asks }) => 'sortBy' in asks);
  const filters = requests.filter(({ asks }) => !('sortBy' in asks));
  // A search for what is not sold, or for help, finds nothing else instead.
  const findsNothing = named.length === 0 && (nouns.length > 0 || pages.length > 0);
  const attempts = findsNothing
    ? []
    : attemptsOf({
        pieces: named.map(({ wanted }) => wanted),
        parts: [
          ...parts,
          ...amounts.map((amount): Part => {
            const { measure, from, to } = amount;
            const part: Part = { from, to, kind: measure === 'price' ? 'price' : 'length', asks: boundsOf(amount, isTall) };
            const wanted = lengths.includes(amount) ? namedBy(numberAt(amount), lookup) : undefined;
            return wanted ? { ...part, instead: { wanted, asks: undefined } } : part;
          }),
          // A filter whose term is also searched for as words is given up as late as a length.
          ...filters.map((filter): Part => ({ ...filter, kind: filter.from < filter.to ? 'flag' : 'length' })),
        ],
        sort: Object.assign({}, ...sorts.map(({ asks }) => asks)) as Asks,
        leftOut: [...leftOut, ...understood.leftOut, ...(pages.length > 0 ? [] : unknown)],
        isEverything,
      });
  const notSoldNoun = nouns.find(({ isSold }) => !isSold);
  const beside = named.length > 0 ? [] : (notSoldNoun?.term.meaning.beside ?? []);
  const areSold = await Promise.all(beside.map((phrase) => lookup.isSold([phrase])));
  // Corrections of the vocabulary itself, such as “draws”, are not reported.
  const corrected = read.filter((word) => isCorrected(word) && !meaningOf(vocabulary, [word.word])?.misspelt);
  const inOrder = [
    ...named.map(({ term, wanted }) => ({ from: term.from, wanted: { ...wanted, inName: false }, isSold: term !== notSoldNoun?.term })),
    ...parts.flatMap(({ from, wanted }) => (wanted ? { from, wanted, isSold: true } : [])),
  ].sort((one, other) => one.from - other.from);
  const typedAt = ({ from, to }: Place) => text.slice(from, to).trim();
  return {
    attempts: attempts.map((attempt) => ({
      ...attempt,
      leftOutTexts: joinNeighbours(text, attempt.leftOut).map(typedAt).filter(Boolean),
      plain: textWithout(text, [...attempt.filtered, ...sorts]),
    })),
    unread: leftOut.map(typedAt),
    notSold: notSoldNoun?.term.text ?? null,
    nearest: beside.filter((_, index) => areSold[index]).map((phrase) => phrase.join(' ')),
    pages,
    corrected: corrected.length === 0 ? null : spelled(text, corrected, ({ meant }) => meant.join(' or ')),
    spellings: spellingsOf(text, corrected),
    kindQueries: {
      categories: inOrder.map(({ wanted, isSold }) => wantedQuery(ofCategory(wanted, isSold))),
      subCategories: inOrder.map(({ wanted }) => wantedQuery(wanted)),
    },
  };
}
