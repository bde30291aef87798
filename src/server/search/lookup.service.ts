import { sql } from 'kysely';
import { CUSTOM_PLAN, type Db } from '#server/platform/database/connect.ts';
import { AMOUNT_WORDS } from './amounts.ts';
import type { English } from './english.ts';
import { singular, type TypedWord } from './folded.ts';
import { errorsForgiven, nearest } from './spelling.ts';
import { completed, meaningOf, type Phrase, type Vocabulary } from './vocabulary.ts';

/** What the catalogue knows of a word. */
export interface KnownWord {
  word: string;
  /** Its stem in English; null for a word so common that no text is searched for it. */
  stem: string | null;
  /** A product is called so, in any ending. */
  isLabel: boolean;
  /** A category or subcategory is called so, in any ending. */
  isKind: boolean;
  /** A text of the catalogue has it, in any ending. */
  isUsed: boolean;
  /** A text has it unchanged: "wardrob" is only the stem of a word. */
  isExact: boolean;
  /** For a word that may be incomplete: whether a label begins so, or else any word of a text. A whole word is found by its stem. */
  begins: 'label' | 'text' | null;
}

/** The fewest letters that are completed. */
const LEAST_BEGUN = 4;
/** The fewest letters of each word of a compound. */
const LEAST_PART = 3;
/** The most likely corrections of a word that are searched for. */
const MOST_CORRECTIONS = 5;

interface Row extends KnownWord {
  /** Labels that share a spelling with it, or look like it. */
  alike: string[];
}

/** The words of a search as the catalogue, the vocabulary and English know them. */
export class Lookup {
  readonly #db: Db;
  readonly #known = new Map<string, Row>();
  /** The words that were looked up as beginnings too. */
  readonly #begun = new Set<string>();
  readonly #vocabulary: Vocabulary;
  readonly #english: English;

  constructor(db: Db, vocabulary: Vocabulary, english: English) {
    this.#db = db;
    this.#vocabulary = vocabulary;
    this.#english = english;
  }

  /** Looks up words that are not known yet among those of the catalogue, in one statement; those in `begun` may be incomplete. */
  async learn(words: readonly string[], begun: readonly string[]): Promise<void> {
    const unknown = words.filter((word) => !this.#known.has(word) || (begun.includes(word) && !this.#begun.has(word)));
    if (unknown.length === 0) return;
    const mistyped = unknown.filter((word) => this.#mayBeMistyped(word));
    const { rows } = await sql<Row>`
      ${sql.raw(CUSTOM_PLAN)} select typed.word, typed.stem, known.*, completions.begins,
        case when not known.is_exact and typed.word = any(${mistyped}::text[]) then array(
          select k.word from catalogue_words k where k.is_label and k.spellings && spellings(typed.word)
          union
          (select k.word from catalogue_words k where k.word % typed.word and k.is_label order by k.word <-> typed.word limit 20)
        ) else '{}' end as alike
      from (select word, (ts_lexize('english_stem', word))[1] as stem from unnest(${[...new Set(unknown)]}::text[]) as word) as typed
      cross join lateral (
        select coalesce(bool_or(k.is_label), false) as is_label, coalesce(bool_or(k.is_kind), false) as is_kind, count(*) > 0 as is_used,
          coalesce(bool_or(k.word = typed.word), false) as is_exact
        from catalogue_words k where k.word = typed.word or k.stem = typed.stem) as known
      left join lateral (
        select case when bool_or(k.is_label) then 'label' else 'text' end as begins from catalogue_words k
        where k.word like typed.word || '%' and not (known.is_exact and k.stem is not distinct from typed.stem) having count(*) > 0
      ) as completions on typed.word = any(${begun}::text[])`.execute(this.#db);
    for (const row of rows) this.#known.set(row.word, row);
    for (const word of begun) this.#begun.add(word);
  }

  /** What the catalogue knows of a word that was looked up. */
  read(word: string): KnownWord {
    const none = { word, stem: null, isLabel: false, isKind: false, isUsed: false, isExact: false, begins: null };
    return this.#known.get(word) ?? none;
  }

  /** The two words of an unknown compound that ends with a word for a piece: "leathersofa" is a leather sofa. */
  split(typed: TypedWord, isLast: boolean): TypedWord[] {
    const { word, from, to } = typed;
    const { isUsed, begins } = this.read(word);
    if (isUsed || (isLast && begins) || to - from !== word.length || !this.#mayBeMistyped(word)) return [typed];
    for (let at = LEAST_PART; at <= word.length - LEAST_PART; at += 1) {
      const [first, second] = [word.slice(0, at), word.slice(at)];
      const { pieces, words, sizes } = meaningOf(this.#vocabulary, [second]) ?? {};
      if (this.#vocabulary.words.has(singular(first)) && (pieces ?? words ?? sizes))
        return [
          { word: first, from, to: from + at },
          { word: second, from: from + at, to },
        ];
    }
    return [typed];
  }

  /** Whether a product's name or category has one of the phrases. */
  async isSold(phrases: readonly Phrase[]): Promise<boolean> {
    const query = phrases.map((phrase) => phrase.map((word) => `'${this.read(word).stem ?? word}':AB`).join(' <-> ')).join(' | ');
    const { rows } = await sql`select from products where deleted_at is null and search @@ ${query}::tsquery limit 1`.execute(this.#db);
    return rows.length > 0;
  }

  /** Whether neither the vocabulary nor English knows a word: "nest" is a word, not a misspelt "best". */
  #mayBeMistyped(word: string): boolean {
    return errorsForgiven(word) > 0 && !this.#vocabulary.words.has(singular(word)) && !this.#english.has(word);
  }

  /** The likely corrections of a word, best first. A known word has only itself, and so has a last word that begins a known one. */
  meant(word: string, isLast: boolean): string[] {
    const misspelt = meaningOf(this.#vocabulary, [word])?.misspelt;
    if (misspelt) return misspelt.flat();
    const { isUsed, isExact, begins } = this.read(word);
    if (isExact || (isUsed && !this.#mayBeMistyped(word)) || (isLast && begins)) return [word];
    const alike = this.#known.get(word)?.alike ?? [];
    // "Soafs" is two errors from "sofa", and "soaf" one.
    const forms = this.#mayBeMistyped(word) ? [...new Set([word, singular(word)])] : [];
    const candidates = new Set([...alike, ...this.#vocabulary.words, ...AMOUNT_WORDS]);
    let corrections: string[] = [];
    for (const form of forms) if (corrections.length === 0) corrections = nearest(form, candidates);
    // Labels come before other words: "candel" is not "cancel", and "char" not "charge".
    const labels = corrections.filter((other) => alike.includes(other));
    const completion = isLast && word.length >= LEAST_BEGUN && labels.length === 0 ? this.#completed(word) : undefined;
    if (completion) return [...completion];
    // Ignored words come last, and only long ones: "cuch" is a couch rather than "much", and "bday" not "day"; "furnture" is furniture.
    const isIgnored = (other: string) => meaningOf(this.#vocabulary, [other])?.ignored !== undefined && !AMOUNT_WORDS.includes(other);
    const meaningful = corrections.filter((other) => !isIgnored(other));
    const long = corrections.filter(({ length }) => length > 5);
    const best = [labels, meaningful, long, [word]].find(({ length }) => length > 0) ?? [];
    return best.slice(0, MOST_CORRECTIONS);
  }

  /** The shortest of shoppers' words for a product that begins so: "furn" is "furniture", not a misspelt "urn". */
  #completed(word: string): Phrase | undefined {
    if (this.#vocabulary.words.has(singular(word))) return undefined;
    return completed(
      this.#vocabulary,
      word,
      ({ words, ignored, written = [] }) => written.length === 1 && (ignored ?? words) !== undefined,
    );
  }
}
