/** The element's look; every color and face can be set from outside through `--almanac-*`. */
export const styles = `
:host {
  --ink: var(--almanac-ink, #1f1d1a);
  --muted: var(--almanac-muted, #625c53);
  --paper: var(--almanac-paper, #fffdf9);
  --rule: var(--almanac-rule, #d9d2c5);
  --accent: var(--almanac-accent, #7b2d1e);
  --accent-ink: var(--almanac-accent-ink, #fffdf9);
  --warm: var(--almanac-warm, #f5efe4);
  --mark: var(--almanac-mark, #f6e2ad);
  --serif: var(--almanac-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", "P052", Georgia, serif);
  --sans: var(--almanac-sans, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif);
  display: block;
  color: var(--ink);
  font: 1rem/1.5 var(--sans);
  overflow-wrap: anywhere;
}
@media (prefers-color-scheme: dark) {
  :host {
    --ink: var(--almanac-ink, #ece6da);
    --muted: var(--almanac-muted, #aaa193);
    --paper: var(--almanac-paper, #201e1a);
    --rule: var(--almanac-rule, #423d35);
    --accent: var(--almanac-accent, #e6a98a);
    --accent-ink: var(--almanac-accent-ink, #1c1916);
    --warm: var(--almanac-warm, #2a2721);
    --mark: var(--almanac-mark, #59481c);
  }
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.hidden-text {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0;
}
label { display: block; margin: 0 0 .4rem; font-size: .9rem; color: var(--muted); }
.bar { display: flex; gap: .5rem; }
input:not([type=checkbox]) {
  flex: 1; min-width: 0; padding: .7rem .9rem;
  font: 1.15rem/1.3 var(--serif); color: var(--ink); background: var(--paper);
  border: 1px solid var(--muted); border-radius: 3px; -webkit-appearance: none; appearance: none;
}
input::placeholder { color: var(--muted); opacity: 1; font-style: italic; }
button {
  padding: .6rem 1.1rem; font: 600 .95rem/1.2 var(--sans); cursor: pointer;
  color: var(--accent-ink); background: var(--accent); border: 1px solid var(--accent); border-radius: 3px;
}
button.quiet { color: var(--accent); background: transparent; }
:is(input, button, a, summary, select, h2, h3):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.status { min-height: 1.5em; margin: .7rem 0 0; color: var(--muted); font-size: .95rem; }
.notice { margin: .2rem 0 0; font-size: .95rem; }
.progress, .keeping { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .8rem; margin: .5rem 0 0; font-size: .9rem; color: var(--muted); font-variant-numeric: tabular-nums; }
progress { flex: 1 1 12rem; height: .5rem; accent-color: var(--accent); }
button.link { padding: 0; color: var(--muted); background: none; border: 0; font: inherit; font-size: .9rem; text-decoration: underline; text-decoration-color: var(--rule); text-underline-offset: .2em; }
button.link:hover { color: var(--accent); }
button.link[aria-disabled=true] { text-decoration: none; opacity: .8; }
.tools { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.2rem; margin: .55rem 0 0; }
.tools > details { margin: 0; }
.tools > details[open] { flex: 1 1 100%; }
.like { margin: .6rem 0 0; }
.like-title { margin: 0; font: inherit; font-weight: 600; }
button.small { padding: .3rem .7rem; font-size: .85rem; }
.dates { margin: .6rem 0 0; font-size: .95rem; }
.read { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .7rem; }
ul { list-style: none; margin: 0; padding: 0; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; }
.chip { padding: .2rem .7rem; background: var(--warm); border: 1px solid var(--rule); border-radius: 1rem; }
.as-words:empty { display: none; }
.refusals { margin: .4rem 0 0; color: var(--muted); }
.filters { margin: .7rem 0 0; }
.filters > summary { font-size: .95rem; }
.panel { margin: .6rem 0 0; padding: .9rem 1rem; color: var(--ink); background: var(--warm); border-radius: 3px; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-inline-size: 0; }
legend { padding: 0; margin: 0 0 .4rem; font-weight: 600; }
.fields { display: flex; flex-wrap: wrap; gap: .7rem; }
.field { flex: 1 1 9rem; display: flex; flex-direction: column; }
.field label { margin: 0 0 .2rem; color: inherit; }
input.year:not([type=checkbox]) { flex: none; inline-size: 100%; padding: .4rem .6rem; font-size: 1rem; }
input[aria-invalid=true] { border-color: var(--accent); border-width: 2px; }
.note { margin: .3rem 0 .5rem; color: var(--muted); font-size: .85rem; }
.field .note { min-block-size: 1.5em; margin: .15rem 0 0; }
.error { margin: .3rem 0 .5rem; color: var(--accent); font-weight: 600; }
.error:empty, .matching:empty { display: none; }
.facets { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: 0 1.2rem; }
.choice { display: flex; align-items: baseline; gap: .5rem; margin: 0; padding: .15rem 0; color: inherit; cursor: pointer; }
.choice input { flex: none; accent-color: var(--accent); }
.choice:has(:disabled) { color: var(--muted); cursor: default; }
.foot { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .9rem; }
.matching { margin: 0; }
.download > button { margin: .7rem 0 0; }
.number { font-variant-numeric: tabular-nums; }
.still:not(:empty) { display: block; margin-block-start: .3rem; }
.failure { margin: 1rem 0 0; padding: 1rem 1.1rem; background: var(--warm); border-inline-start: 4px solid var(--accent); border-start-end-radius: 3px; border-end-end-radius: 3px; }
.failure p { margin: 0 0 .8rem; }
.failure strong { display: block; font-family: var(--serif); font-size: 1.1rem; }
.cite { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; margin: .7rem 0; font-size: .9rem; color: var(--muted); }
.cite .note { margin: 0; }
textarea { inline-size: 100%; font: .85rem/1.4 ui-monospace, monospace; color: var(--ink); background: var(--paper); }
.offline { margin: .9rem 0 0; }
.update { margin: 0 0 .6rem; padding: .5rem .8rem; background: var(--warm); border-radius: 3px; }
[part=kept]:empty { display: none; }
.nearest { margin: .8rem 0 0; }
/* The list keeps the reader's place itself. */
ol { list-style: none; margin: 1.2rem 0 0; padding: 0; overflow-anchor: none; }
ol > li { display: flex; gap: 1rem; padding: 1.1rem 0; border-block-start: 1px solid var(--rule); }
ol > li:last-child { border-block-end: 1px solid var(--rule); }
.timeline { margin: 1.2rem 0 0; }
.timeline-title { margin: 0 0 .5rem; font: 600 .95rem/1.3 var(--sans); }
.plot { position: relative; margin-inline: 24px; block-size: 7.5rem; padding-block-end: 1.6rem; touch-action: pan-y; cursor: crosshair; user-select: none; -webkit-user-select: none; }
.plot svg { display: block; inline-size: 100%; block-size: 100%; border-block-end: 1px solid var(--muted); }
.area { fill: var(--accent); fill-opacity: .45; stroke: var(--accent); stroke-width: 1; vector-effect: non-scaling-stroke; }
.range { position: absolute; inset-block: 0 1.6rem; left: calc(var(--start) * 100%); right: calc((1 - var(--end)) * 100%); background: var(--mark); opacity: .35; border-inline: 2px solid var(--accent); pointer-events: none; }
.edge { position: absolute; inset-block: 0 1.6rem; left: calc(var(--at) * 100%); inline-size: 24px; margin-inline-start: -12px; cursor: ew-resize; touch-action: none; }
.edge.from { margin-inline-start: -23px; }
.edge.to { margin-inline-start: -1px; }
.edge::before { content: ""; position: absolute; inset-block: 0; inset-inline-start: 11px; inline-size: 2px; background: var(--accent); }
.edge.from::before { inset-inline-start: 22px; }
.edge.to::before { inset-inline-start: 0; }
.edge::after { content: ""; position: absolute; inset-block-start: 50%; inline-size: 10px; block-size: 24px; margin-block-start: -12px; background: var(--accent); }
.edge.from::after { inset-inline-end: 0; border-radius: 5px 0 0 5px; }
.edge.to::after { inset-inline-start: 0; border-radius: 0 5px 5px 0; }
.edge:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.axis { position: absolute; inset-inline: 0; inset-block-end: 0; block-size: 1.5rem; font-size: .8rem; color: var(--muted); overflow: hidden; }
.tick { position: absolute; left: calc(var(--at) * 100%); padding-inline-start: .25rem; border-inline-start: 1px solid var(--muted); white-space: nowrap; font-variant-numeric: tabular-nums; }
.dial { margin: 1rem 0 0; font-size: inherit; color: inherit; }
.dial > summary { font: 600 .95rem/1.3 var(--sans); }
.dial-body { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; }
.ring { flex: 0 1 20rem; min-inline-size: 0; inline-size: 100%; aspect-ratio: 1; touch-action: none; cursor: crosshair; user-select: none; -webkit-user-select: none; }
.ring .line { fill: none; stroke: var(--rule); }
.ring .of-term { stroke: var(--muted); }
.ring .arc { fill: var(--mark); fill-opacity: .7; stroke: var(--accent); }
.ring .name { font: 8px var(--sans); fill: var(--muted); text-anchor: middle; dominant-baseline: central; }
.ring .season { font-size: 10px; font-family: var(--serif); fill: var(--ink); }
.dial-side { flex: 1 1 14rem; min-inline-size: 0; }
.dial-side .fields { align-items: end; }
select { inline-size: 100%; padding: .4rem .5rem; font: 1rem/1.3 var(--sans); color: var(--ink); background: var(--paper); border: 1px solid var(--muted); border-radius: 3px; }
.zoom { display: flex; flex-wrap: wrap; gap: .4rem; margin: .5rem 0 0; }
button[aria-disabled=true] { color: var(--muted); border-color: var(--rule); cursor: default; }
[part=timeline-undated] { min-block-size: 1.5em; }
[part=more-results] { margin: 1rem 0 0; }
.body { flex: 1; min-width: 0; }
h3 { margin: 0; font: 600 1.2rem/1.3 var(--serif); }
h3 a { color: inherit; text-decoration: underline; text-decoration-thickness: 1px; text-decoration-color: var(--rule); text-underline-offset: .2em; }
h3 a:hover { color: var(--accent); text-decoration-color: currentColor; }
.date { margin: .15rem 0 0; color: var(--muted); font-size: .95rem; }
/* Written the other way than the page, a passage begins at its own start. */
.passage { margin-block: .45rem 0; margin-inline: 0 auto; max-inline-size: 68ch; }
mark { color: inherit; background: var(--mark); border-radius: 2px; }
.time { margin: .35rem 0 0; color: var(--muted); font-size: .9rem; }
img { flex: none; width: 6rem; height: 6rem; object-fit: cover; background: var(--warm); border-radius: 2px; }
details { margin: .55rem 0 0; font-size: .9rem; color: var(--muted); }
summary { width: fit-content; cursor: pointer; }
summary:hover { color: var(--accent); }
.why { margin: .5rem 0 0; max-inline-size: 68ch; }
dl.shares { display: block; max-inline-size: 30rem; }
.shares > div { display: grid; grid-template-columns: 5.5rem 1fr; align-items: center; gap: .9rem; }
.shares dd { display: flex; align-items: center; gap: .7rem; }
.share { flex: 1; block-size: .55rem; background: var(--warm); border: 1px solid var(--rule); border-radius: 2px; overflow: hidden; }
.share::before { content: ""; display: block; block-size: 100%; inline-size: calc(var(--share) * 100%); background: var(--accent); }
dl { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: .15rem .9rem; margin: .5rem 0 0; }
dt { font-weight: 600; }
dd { margin: 0; }
.backend { margin: 1rem 0 0; color: var(--muted); font-size: .85rem; }
@media (max-width: 30rem) {
  .bar { flex-wrap: wrap; }
  .bar button { flex: 1 1 100%; }
  .shares > div { grid-template-columns: 4rem 1fr; }
  img { width: 4rem; height: 4rem; }
}
@media (forced-colors: active) {
  button { border-color: ButtonText; }
  .share::before { background: Highlight; forced-color-adjust: none; }
  .area { fill: CanvasText; stroke: CanvasText; forced-color-adjust: none; }
  .range { background: none; border-color: Highlight; opacity: 1; }
  .edge::before, .edge::after { background: Highlight; forced-color-adjust: none; }
  .ring .arc { fill: none; stroke: Highlight; stroke-width: 2; forced-color-adjust: none; }
  .ring .line { stroke: CanvasText; }
  .ring .name { fill: CanvasText; }
  .chip, .panel { border: 1px solid; }
  .failure { border: 1px solid; }
}
`;
