import { expect, it } from "vitest";
import { english } from "../language/choose";
import type { ExplainedDocument } from "../protocol";
import { dated, foundDocument, plainHit } from "../testing/found";
import { timeStep } from "./steps";

const record: ExplainedDocument = {
  ...foundDocument("1", { shares: { ...plainHit.shares, time: 0.4 }, time: { relation: "inside", date: "1853" } }),
  vector: [1],
  intervals: [[676_430, 676_795]],
};

function said(prose: boolean): string {
  const by = { meaning: true, words: true, time: true };
  const explained = { understood: dated, pieces: [], vector: [1], documents: [record], by, weights: { time: 0.5, words: 0.3 }, prose };
  return timeStep({ explained, language: english, record })
    .map((node) => node.textContent)
    .join(" ");
}

it("time is said to be scored by what lies inside, or in prose by beginnings too", () => {
  expect(said(false)).toContain("Here all of it does: 0.800");
  expect(said(true)).toContain("its beginning: 0.800");
  expect(said(true)).not.toContain("Here all of it does");
});
