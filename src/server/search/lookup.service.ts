import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { errorsForgiven, nearest } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';
import { asNumberWord, singular, type TypedWord } from './words.ts';

/** What the catalogue knows of a word. */
export interface KnownWord {
  /** A product is called so, in any ending. */
  isLabel: boolean;
  /** A category or subcategory is called so, in any ending: it says what a product is. */
  isKind: boolean;
  /** A text of the catalogue has it, in any ending. */
  isUsed: boolean;
  /** A product is called something that begins so, or else a text has a word that does. */
  begins: 'label' | 'text' | null;
  /** The words that it begins, where these are few. */
  completions: string[] | null;
}

/** So many words are looked for by themselves, which costs far less than to look for all that begins so. */
const FEW_COMPLETIONS = 12;

interface Row extends KnownWord {
  word: string;
  /** Labels that share a spelling with it, or look like it. */
  alike: string[];
}

const UNKNOWN: KnownWord = { isLabel: false, isKind: false, isUsed: false, begins: null, completions: null };

/** Looks words up among those of the catalogue, in one statement. */
async function readWords(db: Db, words: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select word,
      exists (select from catalogue_words k where k.is_label and (k.word = word_of.word or k.stem = word_of.stem)) as is_label,
      exists (select from catalogue_words k where k.is_kind and (k.word = word_of.word or k.stem = word_of.stem)) as is_kind,
      exists (select from catalogue_words k where k.word = word_of.word or k.stem = word_of.stem) as is_used,
      (select case when bool_or(k.is_label) then 'label' else 'text' end from catalogue_words k where k.word like word_of.word || '%' having count(*) > 0) as begins,
      (select case when count(*) between 1 and ${FEW_COMPLETIONS} then array_agg(begun.word order by begun.word) end from (
        select k.word from catalogue_words k where k.word like word_of.word || '%' limit ${FEW_COMPLETIONS + 1}) as begun) as completions,
      case when length(word) < 3 then '{}' else array(
        select k.word from catalogue_words k where k.is_label and k.spellings && spellings(word_of.word)
        union
        (select k.word from catalogue_words k where k.word % word_of.word and k.is_label order by k.word <-> word_of.word limit 20)
      ) end as alike
    from (select word, (ts_lexize('english_stem', word))[1] as stem from unnest(${words}::text[]) as word) as word_of`.execute(db);
  return rows;
}

/** The words of a search as the catalogue and the vocabulary know them. */
export class Lookup {
  readonly #known: ReadonlyMap<string, Row>;
  readonly #vocabulary: Vocabulary;
  /** What each word may have been meant to be: a search may hold a word many times. */
  readonly #corrections = new Map<string, string[]>();

  private constructor(rows: readonly Row[], vocabulary: Vocabulary) {
    this.#known = new Map(rows.map((row) => [row.word, row]));
    this.#vocabulary = vocabulary;
  }

  /** Looks up what was typed, and what the vocabulary may lead it to. */
  static async of(db: Db, typed: readonly TypedWord[], vocabulary: Vocabulary): Promise<Lookup> {
    return new Lookup(await readWords(db, [...new Set(typed.map(({ word }) => asNumberWord(word)))]), vocabulary);
  }

  read(word: string): KnownWord {
    return this.#known.get(word) ?? UNKNOWN;
  }

  /** What a word may have been meant to be: itself where anything knows it, or, as the last of a search, begins with it. */
  meant(typed: string, isLast: boolean): string[] {
    const word = asNumberWord(typed);
    const { isUsed, begins } = this.read(word);
    if (isUsed || (isLast && begins) || this.#vocabulary.words.has(singular(word)) || errorsForgiven(word) === 0) return [word];
    const corrected =
      this.#corrections.get(word) ?? nearest(word, new Set([...(this.#known.get(word)?.alike ?? []), ...this.#vocabulary.words]));
    this.#corrections.set(word, corrected);
    return corrected.length > 0 ? corrected.slice(0, 5) : [word];
  }
}
