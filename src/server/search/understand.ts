import { type Amount, amountsIn } from './amounts.ts';
import { asNumberWord, isNumberWord, MOST_WORDS, numberOfWord, type Place, type TypedWord, typedWords } from './folded.ts';
import { type Meaning, meaningOf, type Phrase, type Vocabulary } from './vocabulary.ts';

/** One thing that a search asks for: the typed words, and the phrases that they may stand for. */
export interface Term extends Place {
  alternatives: readonly Phrase[];
  /** Other kinds of piece to exclude: those that begin with the same word ("table lamp" for "table"), and single words that share its category. */
  except: readonly Phrase[];
  kind: 'piece' | 'colour' | 'material' | 'size' | 'number' | 'words';
  /** Ends with the last typed word, which may be incomplete. */
  isLast: boolean;
  /** The words, corrected. */
  text: string;
  meaning: Meaning;
}

/** A typed word and its likely corrections, best first. A known word has only itself. */
export interface ReadWord extends TypedWord {
  meant: readonly string[];
}

/** Limits on a search, since each word and amount costs time. Anything beyond them is left out, and reported. */
const MOST = { words: MOST_WORDS, terms: 8, amounts: 4 };

/** A search split into words and amounts, before any word is looked up. */
export interface SplitSearch {
  /** Numbers from 1 to 10 are words: "2" is "two". */
  words: TypedWord[];
  amounts: Amount[];
  /** The parts beyond the limits. */
  leftOut: Place[];
}

/** Splits a search into its amounts and the other words. */
export function splitSearch(text: string): SplitSearch {
  const amounts = amountsIn(text);
  const withoutAmounts = amounts.reduce((left, { from, to }) => left.slice(0, from) + ' '.repeat(to - from) + left.slice(to), text);
  const words = typedWords(withoutAmounts).map((typed) => ({ ...typed, word: asNumberWord(typed.word) }));
  const distinct = [...new Map(amounts.map((amount) => [`${amount.measure} ${amount.min} ${amount.max}`, amount])).values()];
  const read = words.slice(0, MOST.words);
  // A repeated word is not left out.
  const isNew = ({ word }: TypedWord) => !read.some((other) => other.word === word);
  return {
    words: read,
    amounts: distinct.slice(0, MOST.amounts),
    leftOut: [...distinct.slice(MOST.amounts), ...words.slice(MOST.words).filter(isNew)],
  };
}

const wordOf = ({ word, meant }: ReadWord) => meant[0] ?? word;

/** The length in words of the longest known phrase that starts at a word; 0 without one. */
function longestAt(words: readonly ReadWord[], start: number, vocabulary: Vocabulary): number {
  for (let length = Math.min(vocabulary.longest, words.length - start); length > 0; length -= 1) {
    if (meaningOf(vocabulary, words.slice(start, start + length).map(wordOf))) return length;
  }
  return 0;
}

/** The alternatives of a phrase: itself and its synonyms. A single mistyped word has those of each likely correction. */
function alternativesOf(words: readonly ReadWord[], vocabulary: Vocabulary): Phrase[] {
  const spelled = words.length === 1 ? (words[0]?.meant ?? []).map((word) => [word]) : [words.map(wordOf)];
  return spelled.flatMap((phrase) => {
    const { written = phrase, words: meant = [], colours = [], materials = [] } = meaningOf(vocabulary, phrase) ?? {};
    // "Arm chair" is searched for as "armchair".
    return [written.length === phrase.length ? phrase : written, ...meant, ...colours, ...materials];
  });
}

/** A word for one colour or material becomes a filter. An ambiguous word is searched for as text. */
function kindOf(meaning: Meaning, alternatives: readonly Phrase[], vocabulary: Vocabulary): Term['kind'] {
  const isPiece = (phrase: Phrase) => meaningOf(vocabulary, phrase)?.pieces !== undefined;
  // An alternative ends with the kind of piece: "two seat sofa".
  if (meaning['not sold'] || alternatives.some((phrase) => isPiece(phrase) || isPiece(phrase.slice(-1)))) return 'piece';
  // "For two" means "two seat".
  if (alternatives.some(([number = '', counted = '']) => isNumberWord(number) && meaningOf(vocabulary, [counted])?.sizes)) return 'size';
  if (meaning.words) return 'words';
  if (meaning.materials) return 'material';
  return meaning.colours ? 'colour' : 'words';
}

/** Whether the vocabulary lists a term in any of some sections. */
const isListed = ({ meaning }: Term, ...sections: (keyof Meaning)[]) => sections.some((section) => meaning[section]);

const isColourOrMaterial = ({ kind }: Term) => kind === 'colour' || kind === 'material';

const ARTICLE = /^(?:an?|the|my|our)$/;
const TURNING = /^(?:for|at|in|on|by|beside|near|to|under)$/;

/** Turns "lamp for the bedside" and "table in the hall" into "bedside lamp" and "hall table", if the vocabulary knows that. */
function withNounLast(words: readonly ReadWord[], vocabulary: Vocabulary): readonly ReadWord[] {
  for (let at = 1; at < words.length - 1; at += 1) {
    if (!TURNING.test(words[at]?.word ?? '')) continue;
    const rest = words.slice(at + 1).filter(({ word }) => !ARTICLE.test(word));
    // “A bench I can put at the end of the bed”.
    const end = words.findLastIndex((word, index) => index < at && !meaningOf(vocabulary, [wordOf(word)])?.ignored) + 1;
    if (end === 0) continue;
    const first = Math.max(0, end - 2);
    // "Accent chair for the living room": both words are the noun.
    const isNoun = meaningOf(vocabulary, words.slice(first, end).map(wordOf));
    const shortest = longestAt(rest, 0, vocabulary) || 1;
    for (let count = rest.length; count >= shortest; count -= 1)
      for (const nounAt of isNoun ? [first] : [first, end - 1]) {
        const phrase = [...rest.slice(0, count), ...words.slice(nounAt, end)];
        if (!meaningOf(vocabulary, phrase.map(wordOf))) continue;
        // “Stool for a kitchen worktop” is a kitchen stool for a worktop.
        return [...words.slice(0, nounAt), ...phrase, ...(count < rest.length ? words.slice(at, at + 1) : []), ...rest.slice(count)];
      }
  }
  return words;
}

/** The phrases of a search, in order. */
function phrasesOf(words: readonly ReadWord[], vocabulary: Vocabulary): Term[] {
  const terms: Term[] = [];
  for (let start = 0; start < words.length; ) {
    const phrase = words.slice(start, start + (longestAt(words, start, vocabulary) || 1));
    start += phrase.length;
    const meaning = meaningOf(vocabulary, phrase.map(wordOf)) ?? {};
    const isMisspelt = phrase.some(({ word }) => meaningOf(vocabulary, [word])?.misspelt);
    const text = ((isMisspelt && meaning.written) || phrase.map(wordOf)).join(' ');
    const alternatives = alternativesOf(phrase, vocabulary);
    const next = words[start]?.word;
    const apart = alternatives.flatMap((names) => meaningOf(vocabulary, names.slice(-1))?.apart ?? []);
    terms.push({
      alternatives,
      except: [
        // "Table lam" is a table lamp that is still being typed.
        ...apart.filter(([, second]) => second && !(next && second.startsWith(next))),
        ...(meaning.apart ?? []).filter(({ length }) => length === 1),
      ],
      kind: isNumberWord(text) ? 'number' : kindOf(meaning, alternatives, vocabulary),
      isLast: start === words.length,
      text,
      from: Math.min(...phrase.map(({ from }) => from)),
      to: Math.max(...phrase.map(({ to }) => to)),
      meaning,
    });
  }
  return terms;
}

/**
 * The kinds of piece that a search is for. Of adjacent nouns the last one counts ("card table"). Anything after “with” or “for” only describes
 * it. “And” joins two nouns.
 */
function nounsAmong(terms: readonly Term[]): Set<Term> {
  const nouns: Term[] = [];
  let isJoined = true;
  for (const [index, term] of terms.entries()) {
    const isPiece = term.kind === 'piece';
    const isBeside = isPiece && terms[index - 1] === nouns.at(-1);
    // In “armchair walnut frame” the frame is a part of the armchair. In “sofa cover”, with no word between, the cover is the piece.
    if (isListed(term, 'after', 'parts', 'without') && nouns.length > 0 && !isBeside) break;
    if (isListed(term, 'joined')) isJoined = true;
    // “Table 6 seater”.
    if (!isPiece || (!isJoined && isNumberWord(term.text.split(' ', 1)[0] ?? ''))) continue;
    if (!isJoined) nouns.pop();
    nouns.push(term);
    isJoined = false;
  }
  return new Set(nouns);
}

/** Joins numbers and the word that they count into terms: neither means anything alone. "2 or 3 seater" asks for either. */
function withNumbersJoined(terms: readonly Term[]): Term[] {
  const joined: Term[] = [];
  for (const term of terms) {
    const firstAt = term.meaning.sizes ? joined.findLastIndex(({ kind }) => kind !== 'number') + 1 : joined.length;
    const numbers = joined.splice(firstAt);
    const counted = numbers.map((number, index): Term => {
      const isLast = index === numbers.length - 1;
      const alternatives = term.alternatives.map((phrase) => [...(number.alternatives[0] ?? []), ...phrase]);
      return {
        ...term,
        alternatives,
        kind: 'size',
        text: `${number.text} ${term.text}`,
        from: number.from,
        to: isLast ? term.to : number.to,
      };
    });
    joined.push(...(counted.length > 0 ? counted : [term]));
  }
  return joined;
}

/**
 * Sizes beside one of several kinds of piece are words of that kind, not a filter of all: "2 seater sofa and armchair". In "2 seater and armchair" the
 * size is itself a kind.
 */
function withSizesOfKinds(terms: readonly Term[], joins: readonly Term[]): Term[] {
  const [pieces, sizes] = [terms.filter(({ kind }) => kind === 'piece'), terms.filter(({ kind }) => kind === 'size')];
  const sideOf = ({ from }: Term) => joins.filter((join) => join.from < from).length;
  const besideOf = (term: Term, others: readonly Term[]) => others.find((other) => sideOf(other) === sideOf(term));
  const areSeveral = new Set(pieces.map(sideOf)).size > 1;
  const isSized = pieces.some((piece) => besideOf(piece, sizes));
  return terms.flatMap((term): Term[] => {
    const size = areSeveral && term.kind === 'piece' && besideOf(term, sizes);
    if (size)
      return [{ ...term, alternatives: term.alternatives.flatMap((kind) => size.alternatives.map((words) => [...words, ...kind])) }];
    if (term.kind !== 'size') return [term];
    if (besideOf(term, pieces)) return areSeveral ? [] : [term];
    return [pieces.length > 0 && !isSized ? { ...term, kind: 'piece' } : term];
  });
}

/** Words such as "without", and the terms that they negate, up to a noun: negation cannot be searched for. */
function deniedAmong(terms: readonly Term[], nouns: ReadonlySet<Term>): Term[] {
  let isDenied = false;
  return terms.filter((term) => {
    if (isListed(term, 'without')) isDenied = true;
    else if (nouns.has(term) || (isListed(term, 'after', 'parts', 'joined') && term.kind !== 'piece')) isDenied = false;
    return isDenied;
  });
}

/** Drops repeated terms. */
const withoutRepeats = (terms: readonly Term[]): Term[] =>
  [...new Map(terms.toReversed().map((term) => [JSON.stringify(term.alternatives), term])).values()].reverse();

/** The meaning of a search. */
export interface Understood {
  terms: Term[];
  /** Requested sorts and filters: "cheapest", "in stock". */
  asks: Term[];
  /** URLs of help pages that answer it. */
  pages: string[];
  /** Terms that describe no product, and terms beyond the limits. */
  leftOut: Term[];
  /** True if no kind of piece is named, and a word as vague as "furniture" is, or no other. */
  isEverything: boolean;
}

/** Builds the terms from known or corrected words. Vague words are searched for only if there are no others. */
export function termsOf(words: readonly ReadWord[], vocabulary: Vocabulary): Understood {
  const phrases = phrasesOf(withNounLast(words, vocabulary), vocabulary);
  const nouns = nounsAmong(phrases);
  const denied = deniedAmong(phrases, nouns);
  const isMaterial = ({ meaning }: Term) => meaning.words?.some((phrase) => meaningOf(vocabulary, phrase)?.materials) ?? false;
  // "Light" in "light grey" or "light wood".
  const isShade = (term: Term, next: Term | undefined) =>
    next !== undefined && isListed(term, 'shades') && (isColourOrMaterial(next) || isMaterial(next));
  // "Four dining chairs", and "dining chairs, set of four", are dining chairs.
  const isQuantity = (term: Term, index: number) => {
    const rest = phrases.slice(index + 1);
    if (numberOfWord(term.text) === 0 || (rest[0] && isListed(rest[0], 'sizes', 'joined'))) return false;
    return /^(?:of|x)$/.test(phrases[index - 1]?.text ?? '') || rest.some((next) => nouns.has(next));
  };
  const isIgnored = (term: Term, index: number) =>
    (isListed(term, 'ignored', 'after', 'parts', 'joined') && term.kind !== 'piece') ||
    isShade(term, phrases[index + 1]) ||
    isQuantity(term, index);
  const ignored = new Set(phrases.filter(isIgnored));
  // "For a small room" does not ask for a small piece. A phrase such as "in stock" counts wherever it is.
  const isAfterNoun = (term: Term) => [...nouns].some((noun) => noun.from < term.from);
  const afterNounAt = phrases.findIndex((term) => isListed(term, 'after', 'parts') && isAfterNoun(term));
  const isOfPiece = (term: Term, index: number) => afterNounAt < 0 || index < afterNounAt || term.text.includes(' ');
  const asks = phrases.filter((term, index) => isListed(term, 'asks') && isOfPiece(term, index) && !denied.includes(term));
  const pages = phrases.flatMap(({ meaning }) => meaning.pages ?? []);
  // "With oak legs" and "brass handles" do not ask for an oak or a brass piece.
  const partsAt = phrases.findIndex((term) => isListed(term, 'parts') && isAfterNoun(term));
  const isOfPart = (term: Term) => {
    const at = phrases.indexOf(term);
    const next = phrases[at + 1];
    return isColourOrMaterial(term) && ((partsAt >= 0 && at > partsAt) || (next?.kind !== 'piece' && next?.meaning.sizes !== undefined));
  };
  const others = phrases
    .filter((term) => !ignored.has(term) && !denied.includes(term) && !isListed(term, 'pages'))
    .filter((term) => isListed(term, 'words') || !asks.includes(term))
    .map((term): Term => ((term.kind === 'piece' && !nouns.has(term)) || isOfPart(term) ? { ...term, kind: 'words' } : term));
  const isVague = (term: Term) => isListed(term, 'vague') || (isListed(term, 'asks') && !isListed(term, 'words'));
  const [vague, terms] = [others.filter(isVague), others.filter((term) => !isVague(term))];
  const distinct = withSizesOfKinds(
    withoutRepeats(withNumbersJoined(terms.length > 0 ? terms : vague)),
    phrases.filter((term) => isListed(term, 'joined')),
  );
  return {
    terms: distinct.slice(0, MOST.terms),
    asks,
    pages: [...new Set(pages.map((page) => `/${page.join('-')}`))],
    leftOut: [...(terms.length > 0 ? vague : []), ...denied, ...distinct.slice(MOST.terms)],
    isEverything:
      pages.length === 0 &&
      (terms.length === 0
        ? distinct.length > 0 || ignored.size > 0
        : nouns.size === 0 && phrases.some(({ meaning }) => meaning.ignored?.length)),
  };
}
