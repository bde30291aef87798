import { sql } from 'kysely';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';
import type { English } from './english.ts';
import { asNumberWord, singular } from './folded.ts';
import { errorsForgiven, nearest } from './spelling.ts';
import { completed, type Phrase, type Vocabulary } from './vocabulary.ts';

/** What the catalogue knows of a word. */
export interface KnownWord {
  word: string;
  /** Its stem in English; null for a word so common that no text is searched for it. */
  stem: string | null;
  /** A product is called so, in any ending. */
  isLabel: boolean;
  /** A category or subcategory is called so, in any ending: it says what a product is. */
  isKind: boolean;
  /** A text of the catalogue has it, in any ending. */
  isUsed: boolean;
  /** A text has it as it is: "wardrob" only has the stem of a word. */
  isExact: boolean;
  /** Of a word that may be only begun: a product is called something that begins so, or else a text has a word that does. */
  begins: 'label' | 'text' | null;
}

/** Shorter beginnings say little. */
const LEAST_BEGUN = 4;

interface Row extends KnownWord {
  /** Labels that share a spelling with it, or look like it. */
  alike: string[];
}

interface Asked {
  words: Iterable<string>;
  /** Those that may be only begun. */
  begun: readonly string[];
  /** Those that may be mistyped. */
  mistyped: readonly string[];
}

/** Looks words up among those of the catalogue, in one statement. */
async function readWords(db: Db, { words, begun, mistyped }: Asked): Promise<Row[]> {
  const { rows } = await sql<Row>`
    ${sql.raw(PLAN_ANEW)} select word_of.word, word_of.stem, known.*, coming.begins,
      case when not known.is_exact and word_of.word = any(${mistyped}::text[]) then array(
        select k.word from catalogue_words k where k.is_label and k.spellings && spellings(word_of.word)
        union
        (select k.word from catalogue_words k where k.word % word_of.word and k.is_label order by k.word <-> word_of.word limit 20)
      ) else '{}' end as alike
    from (select word, (ts_lexize('english_stem', word))[1] as stem from unnest(${[...new Set(words)]}::text[]) as word) as word_of
    cross join lateral (
      select coalesce(bool_or(k.is_label), false) as is_label, coalesce(bool_or(k.is_kind), false) as is_kind, count(*) > 0 as is_used,
        coalesce(bool_or(k.word = word_of.word), false) as is_exact
      from catalogue_words k where k.word = word_of.word or k.stem = word_of.stem) as known
    left join lateral (
      select case when bool_or(k.is_label) then 'label' else 'text' end as begins from catalogue_words k where k.word like word_of.word || '%' having count(*) > 0
    ) as coming on word_of.word = any(${begun}::text[])`.execute(db);
  return rows;
}

/** Words with their stems, for those who need not know more of them. */
export async function stemmed(db: Db, words: readonly string[]): Promise<Pick<KnownWord, 'word' | 'stem'>[]> {
  const { rows } = await sql<Pick<KnownWord, 'word' | 'stem'>>`
    select word, (ts_lexize('english_stem', word))[1] as stem from unnest(${words}::text[]) with ordinality as typed (word, place) order by place`.execute(
    db,
  );
  return rows;
}

/** The words of a search as the catalogue, the vocabulary and English know them. */
export class Lookup {
  readonly #db: Db;
  readonly #known = new Map<string, Row>();
  readonly #vocabulary: Vocabulary;
  readonly #english: English;
  /** What each word may have been meant to be: a search may hold a word many times. */
  readonly #corrections = new Map<string, string[]>();

  constructor(db: Db, vocabulary: Vocabulary, english: English) {
    this.#db = db;
    this.#vocabulary = vocabulary;
    this.#english = english;
  }

  /** Looks up words that are not known yet; the `last` ones may be only begun. */
  async learn(typed: readonly string[], last: readonly string[]): Promise<void> {
    const begun = last.map(asNumberWord);
    const words = typed
      .map(asNumberWord)
      .filter((word) => !this.#known.has(word) || (begun.includes(word) && !this.#known.get(word)?.begins));
    if (words.length === 0) return;
    const rows = await readWords(this.#db, { words, begun, mistyped: words.filter((word) => this.#mayBeMistyped(word)) });
    for (const row of rows) this.#known.set(row.word, row);
  }

  read(word: string): KnownWord {
    const none = { word, stem: null, isLabel: false, isKind: false, isUsed: false, isExact: false, begins: null };
    return this.#known.get(word) ?? none;
  }

  /** Whether a product is called one of some phrases, word beside word. */
  async isSold(phrases: readonly Phrase[]): Promise<boolean> {
    const query = phrases.map((phrase) => phrase.map((word) => `'${this.read(word).stem ?? word}':AB`).join(' <-> ')).join(' | ');
    const { rows } = await sql`select from products where deleted_at is null and search @@ ${query}::tsquery limit 1`.execute(this.#db);
    return rows.length > 0;
  }

  /** What neither shoppers' words nor English knows: "nest" is a word, and no misspelt "best". */
  #mayBeMistyped(word: string): boolean {
    return errorsForgiven(word) > 0 && !this.#vocabulary.words.has(singular(word)) && !this.#english.has(word);
  }

  /** What a word may have been meant to be: itself where anything knows it, or, as the last of a search, begins with it. */
  meant(typed: string, isLast: boolean): string[] {
    const word = asNumberWord(typed);
    const misspelt = this.#vocabulary.meanings.get(singular(word))?.misspelt;
    if (misspelt) return misspelt.flat();
    const { isUsed, isExact, begins } = this.read(word);
    if (isExact || (isUsed && !this.#mayBeMistyped(word)) || (isLast && begins)) return [word];
    const alike = this.#known.get(word)?.alike ?? [];
    const near =
      this.#corrections.get(word) ?? (this.#mayBeMistyped(word) ? nearest(word, new Set([...alike, ...this.#vocabulary.words])) : []);
    this.#corrections.set(word, near);
    // What products are called comes before what is only typed: "candel" is no "cancel", and "char" no "charge".
    const called = near.filter((other) => alike.includes(other));
    const whole = isLast && word.length >= LEAST_BEGUN && called.length === 0 ? this.#completed(word) : undefined;
    if (whole) return [...whole];
    // "Cuch" is a couch rather than "much", and "bday" no "day"; "furnture" is furniture.
    const isIgnored = (other: string) => this.#vocabulary.meanings.get(singular(other))?.ignored !== undefined;
    const meaning = near.filter((other) => !isIgnored(other));
    const corrected = [called, meaning, near.filter(({ length }) => length > 5)].find(({ length }) => length > 0) ?? [];
    return corrected.length > 0 ? corrected.slice(0, 5) : [word];
  }

  /** The shortest of shoppers' words for a product that begins so: "furn" is "furniture", and no misspelt "urn". */
  #completed(word: string): Phrase | undefined {
    if (this.#vocabulary.words.has(singular(word))) return undefined;
    return completed(
      this.#vocabulary,
      word,
      ({ words, ignored, written = [] }) => written.length === 1 && (ignored ?? words) !== undefined,
    );
  }
}
