import type { Backend, Hit, Index, Ranking } from "../door";
import type { RankedDates, Stage } from "../protocol";

/** A ranking as a search goes on to use it. */
export interface Ranked {
  stage: Stage;
  /** The backend that encoded the question; null where none did. */
  backend: Backend | null;
  ranking: Ranking;
  /** What of it is worth a place in the list. */
  hits: Hit[];
  /** How many of these come before there is none left that answers the question; the rest is only nearer than others. */
  near: number;
}

/** Keeps the newest ranking, so that asking for more of it does not rank again. */
export class Rankings {
  #key = "";
  #kept: Ranked | null = null;
  #dated: { hits: Hit[]; first: number; dates: RankedDates } | null = null;

  constructor(
    private readonly index: Pick<Index, "rank" | "similar" | "days" | "seasons">,
    /** The cosine from which a passage is close in meaning. */
    private readonly close: number,
  ) {}

  /** The ranking of a question (JSON) at a stage, if it was the newest; `like` is the document whose like was asked for. */
  recall(question: string, stage: Stage, like?: number): Ranked | null {
    return this.#kept !== null && this.#key === keyOf(question, like) && this.#kept.stage === stage ? this.#kept : null;
  }

  /** Ranks by likeness to a document. */
  similar(question: string, like: number): Ranked {
    const ranking = JSON.parse(this.index.similar(like, question)) as Ranking;
    // The nearest are what was asked for, however far they are.
    return this.#keep(keyOf(question, like), { stage: "full", backend: null }, { ...ranking, close: ranking.hits.length > 0 }, ranking.hits, ranking.hits.length);
  }

  /** Ranks, by meaning too where there is a vector, of the backend that encoded it. */
  rank(question: string, stage: Stage, encoded: { vector: Float32Array; backend: Backend } | null): Ranked {
    const ranking = JSON.parse(this.index.rank(question, encoded?.vector)) as Ranking;
    const { by } = ranking;
    // Without meaning the list ends where nothing of the question is found any more.
    const lexical = !by.meaning && (by.words || by.time);
    const hits = lexical ? ranking.hits.filter(holdsSomething) : ranking.hits;
    const near = by.meaning ? hits.findLastIndex((hit) => answers(hit, this.close)) + 1 : hits.length;
    return this.#keep(question, { stage, backend: encoded?.backend ?? null }, ranking, hits, near);
  }

  #keep(key: string, by: Pick<Ranked, "stage" | "backend">, ranking: Ranking, hits: Hit[], near: number): Ranked {
    this.#key = key;
    this.#kept = { ...by, ranking, hits, near };
    return this.#kept;
  }

  /** When the first so many of the hits are from. */
  dates({ hits }: Pick<Ranked, "hits">, first: number): RankedDates {
    if (this.#dated?.hits !== hits || this.#dated.first !== first) this.#dated = { hits, first, dates: this.#readDates(hits.slice(0, first)) };
    return this.#dated.dates;
  }

  #readDates(hits: readonly Hit[]): RankedDates {
    const dates: RankedDates = { intervals: [], undated: 0, seasons: [], seasonless: 0 };
    for (const { document } of hits) {
      const [days, seasons] = [pairs(this.index.days(document)), pairs(this.index.seasons(document))];
      if (days.length === 0) dates.undated += 1;
      if (seasons.length === 0) dates.seasonless += 1;
      dates.intervals.push(...days);
      dates.seasons.push(...seasons);
    }
    return dates;
  }
}

/** Numbers by twos. */
export function pairs(numbers: Float64Array): [number, number][] {
  return Array.from({ length: numbers.length >> 1 }, (_, at) => [numbers[2 * at] ?? Number.NaN, numbers[2 * at + 1] ?? Number.NaN]);
}

function keyOf(question: string, like: number | undefined): string {
  return like === undefined ? question : `${like} ${question}`;
}

/** True where a hit is close in meaning, or a word, a phrase or the time of the question is in it. */
function answers({ cosine, words, exact, time }: Hit, close: number): boolean {
  return exact || words.length > 0 || (cosine !== null && cosine >= close) || time?.relation === "inside" || time?.relation === "overlaps";
}

/** True where a word, a phrase or the time of the question is in a hit. */
function holdsSomething({ score, words, exact }: Hit): boolean {
  return score > 0 || words.length > 0 || exact;
}
