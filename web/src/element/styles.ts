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
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.hidden-text {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0;
}
label { display: block; margin: 0 0 .4rem; font-size: .9rem; color: var(--muted); }
.bar { display: flex; gap: .5rem; }
input {
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
:is(input, button, a, summary, h3):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.status { min-height: 1.5em; margin: .7rem 0 0; color: var(--muted); font-size: .95rem; }
.notice { margin: .2rem 0 0; font-size: .95rem; }
.progress { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .8rem; margin: .5rem 0 0; font-size: .9rem; color: var(--muted); font-variant-numeric: tabular-nums; }
progress { flex: 1 1 12rem; height: .5rem; accent-color: var(--accent); }
.failure { margin: 1rem 0 0; padding: 1rem 1.1rem; background: var(--warm); border-left: 4px solid var(--accent); border-radius: 0 3px 3px 0; }
.failure p { margin: 0 0 .8rem; }
.failure strong { display: block; font-family: var(--serif); font-size: 1.1rem; }
.nearest { margin: .8rem 0 0; }
ol { list-style: none; margin: 1.2rem 0 0; padding: 0; }
li { display: flex; gap: 1rem; padding: 1.1rem 0; border-top: 1px solid var(--rule); }
li:last-child { border-bottom: 1px solid var(--rule); }
.body { flex: 1; min-width: 0; }
h3 { margin: 0; font: 600 1.2rem/1.3 var(--serif); }
h3 a { color: inherit; text-decoration: underline; text-decoration-thickness: 1px; text-decoration-color: var(--rule); text-underline-offset: .2em; }
h3 a:hover { color: var(--accent); text-decoration-color: currentColor; }
.date { margin: .15rem 0 0; color: var(--muted); font-size: .95rem; }
.passage { margin: .45rem 0 0; max-width: 68ch; }
img { flex: none; width: 6rem; height: 6rem; object-fit: cover; background: var(--warm); border-radius: 2px; }
details { margin: .55rem 0 0; font-size: .9rem; color: var(--muted); }
summary { width: fit-content; cursor: pointer; }
summary:hover { color: var(--accent); }
.why { margin: .5rem 0 0; max-width: 68ch; }
dl { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: .15rem .9rem; margin: .5rem 0 0; }
dt { font-weight: 600; }
dd { margin: 0; }
.backend { margin: 1rem 0 0; color: var(--muted); font-size: .85rem; }
@media (max-width: 30rem) {
  .bar { flex-wrap: wrap; }
  .bar button { flex: 1 1 100%; }
  img { width: 4rem; height: 4rem; }
}
@media (forced-colors: active) {
  button { border-color: ButtonText; }
  .failure { border: 1px solid; }
}
`;
