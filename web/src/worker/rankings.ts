import type { Hit, Index, Ranking } from "../door";
import type { RankedDates, Stage } from "../protocol";

/** A ranking as a search goes on to use it. */
export interface Ranked {
  stage: Stage;
  ranking: Ranking;
  /** What of it is worth a place in the list. */
  hits: Hit[];
  dates: RankedDates;
}

/** Keeps the newest ranking, so that asking for more of it does not rank again. */
export class Rankings {
  #key = "";
  #kept: Ranked | null = null;

  constructor(private readonly index: Pick<Index, "rank" | "days">) {}

  /** The ranking of a question (JSON) at a stage, if it was the newest. */
  recall(question: string, stage: Stage): Ranked | null {
    return this.#kept !== null && this.#key === question && this.#kept.stage === stage ? this.#kept : null;
  }

  /** Ranks, by meaning too where there is a vector. */
  rank(question: string, stage: Stage, vector: Float32Array | undefined): Ranked {
    const ranking = JSON.parse(this.index.rank(question, vector)) as Ranking;
    const { by } = ranking;
    // Without meaning the list ends where nothing of the question is found any more.
    const lexical = !by.meaning && (by.words || by.time);
    const hits = lexical ? ranking.hits.filter(holdsSomething) : ranking.hits;
    this.#key = question;
    this.#kept = { stage, ranking, hits, dates: this.#dates(hits) };
    return this.#kept;
  }

  #dates(hits: readonly Hit[]): RankedDates {
    const dates: RankedDates = { intervals: [], undated: 0 };
    for (const { document } of hits) {
      const days = this.index.days(document);
      if (days.length === 0) dates.undated += 1;
      for (let at = 0; at + 1 < days.length; at += 2) dates.intervals.push([days[at] ?? Number.NaN, days[at + 1] ?? Number.NaN]);
    }
    return dates;
  }
}

/** True where a word, a phrase or the time of the question is in a hit. */
function holdsSomething({ score, words, exact }: Hit): boolean {
  return score > 0 || words.length > 0 || exact;
}
