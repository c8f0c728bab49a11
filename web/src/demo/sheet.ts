/** The look of the lesson, over that of the search. */
export const sheet = `
.lesson { padding: 1.2rem 1.3rem; background: var(--paper); border: 1px solid var(--rule); border-radius: 3px; }
.lesson h2 { margin: 0 0 .6rem; font: 600 1.3rem/1.3 var(--serif); }
.lesson p { max-inline-size: 68ch; }
.steps { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin: 1rem 0 0; }
.steps button[aria-disabled=true] { color: var(--muted); background: transparent; border-color: var(--rule); }
.count { color: var(--muted); font-variant-numeric: tabular-nums; }
.tokens { display: flex; flex-wrap: wrap; gap: .3rem; margin: .6rem 0; }
.token { padding: .15rem .5rem; font: .95rem/1.4 ui-monospace, monospace; background: var(--warm); border: 1px solid var(--rule); border-radius: 3px; }
.bars { display: block; inline-size: 100%; block-size: 7rem; margin: .6rem 0; }
.bars path { fill: var(--accent); }
.bars .second { fill: var(--muted); }
.bars line { stroke: var(--rule); vector-effect: non-scaling-stroke; }
.curves { display: block; inline-size: 100%; block-size: 9rem; border-block-end: 1px solid var(--muted); }
.curves path { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; }
.curves .asked { stroke: var(--accent); }
.curves .held { stroke: var(--ink); stroke-dasharray: 6 4; }
.curves .common { fill: var(--accent); fill-opacity: .35; }
.time-axis { position: relative; block-size: 1.5rem; margin: 0; font-size: .8rem; color: var(--muted); overflow: hidden; }
.figure { font-weight: 600; font-variant-numeric: tabular-nums; }
.ranked { list-style: none; margin: .8rem 0 0; padding: 0; }
.ranked > li { display: block; padding: .5rem 0; border-block-start: 1px solid var(--rule); }
.ranked > li:last-child { border-block-end: 0; }
.stack { display: flex; block-size: .7rem; margin: .2rem 0; background: var(--warm); border: 1px solid var(--rule); border-radius: 2px; overflow: hidden; }
.stack > span { inline-size: calc(var(--share) * 100%); }
.stack .meaning { background: var(--accent); }
.stack .words { background: var(--muted); }
.stack .time { margin: 0; background: repeating-linear-gradient(45deg, var(--ink) 0 2px, transparent 2px 5px); }
.parts { color: var(--muted); font-size: .85rem; font-variant-numeric: tabular-nums; }
input[type=range] { inline-size: 100%; max-inline-size: 28rem; accent-color: var(--accent); }
.lesson input[type=range] { padding: 0; border: 0; background: none; -webkit-appearance: auto; appearance: auto; }
@media (forced-colors: active) {
  .bars path, .stack .meaning { fill: Highlight; background: Highlight; forced-color-adjust: none; }
  .curves path { stroke: CanvasText; }
}
`;
