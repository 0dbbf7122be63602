/**
 * The style of every page. Colors are variables for light and dark mode. Each text has a contrast of 4.5 or more with
 * its background.
 */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --panel: #ffffff; --line: #e2e2de; --text: #1d1f21; --quiet: #62666b; --link: #0b57c2;
  --good: #17693a; --good-ground: #dff3e5; --bad: #a8201a; --bad-ground: #fbe4e1; --busy: #0b57c2; --busy-ground: #e1ecfb;
  --held: #7a5200; --held-ground: #f8ecd0; --idle: #4d5257; --idle-ground: #ebebe8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #151618; --panel: #1c1e21; --line: #303338; --text: #e4e5e7; --quiet: #9ea3aa; --link: #85b4f8;
    --good: #86d8a3; --good-ground: #15331f; --bad: #f79c94; --bad-ground: #421a18; --busy: #94bdfa; --busy-ground: #162b4b;
    --held: #e8c170; --held-ground: #382b0e; --idle: #b6bac0; --idle-ground: #2b2e33;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-bottom: 4rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.top, main { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
.top { padding-top: 1rem; font-size: .875rem; }
.top a { color: var(--quiet); text-decoration: none; }
a { color: var(--link); text-underline-offset: .2em; }
a:has(> code) { text-decoration: none; }
a:has(> code):hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h1 { margin: 1rem 0 .25rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; font-weight: 650; }
p { margin: .5rem 0; }
.quiet { color: var(--quiet); font-size: .875rem; }
.id { margin: 0; }
code, pre, .kind, .log time { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
pre { margin: 0; padding: .75rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; line-height: 1.5; tab-size: 4; }
summary { cursor: pointer; }
details > pre { margin-top: .5rem; }
.left { margin: .5rem 0; padding-left: 1.25rem; }
.result { max-height: 32rem; overflow: auto; }
.badge { display: inline-block; padding: .0625rem .625rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); background: var(--good-ground); }
.badge.bad { color: var(--bad); background: var(--bad-ground); }
.busy { color: var(--busy); background: var(--busy-ground); }
.held { color: var(--held); background: var(--held-ground); }
.idle { color: var(--idle); background: var(--idle-ground); }
#state { margin: 1rem 0; }
.message { white-space: pre-wrap; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .75rem 2rem; margin: 1.25rem 0; padding: 1rem 0; border: solid var(--line); border-width: 1px 0; }
.facts dt { color: var(--quiet); font-size: .8125rem; }
.facts dd { margin: 0; }
.facts .broad { grid-column: 1 / -1; }
.log { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.log li { display: grid; grid-template-columns: 4.25rem 6.25rem minmax(0, 1fr); gap: 0 .75rem; padding: .25rem 0 .25rem .5rem; border-left: 3px solid transparent; }
.log time, .kind { color: var(--quiet); line-height: 1.625rem; font-variant-numeric: tabular-nums; }
.log pre { padding: .125rem 0; background: none; border: 0; border-radius: 0; }
.log p { margin: 0; white-space: pre-wrap; }
.log b { margin-right: .5rem; font-weight: 600; }
.log .message, .log .tool, .log li.bad { padding-block: .5rem; }
.log .message { background: var(--panel); }
.log .stderr { border-left-color: var(--held); }
.log .stderr .kind { color: var(--held); }
.log li.bad { border-left-color: var(--bad); }
.log li.bad .kind { color: var(--bad); }
.log .system pre, .log .other div { color: var(--quiet); font-style: italic; }
.log .other div { font-size: .875rem; line-height: 1.625rem; }
.log .stdout + .stdout .kind, .log .stderr + .stderr .kind { opacity: 0; }
.begin { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
.bar { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; margin-top: 1rem; padding: .5rem 0; background: var(--ground); border-top: 1px solid var(--line); font-size: .875rem; }
.bar a { margin-left: auto; }
#live::before { content: ''; display: inline-block; width: .5rem; height: .5rem; margin-right: .5rem; border-radius: 50%; background: var(--quiet); }
#live[data-mood=live]::before { background: var(--good); }
#live[data-mood=lost] { color: var(--bad); font-weight: 600; }
#live[data-mood=lost]::before { background: var(--bad); }
#end { height: 1.5rem; }
.wide { overflow-x: auto; }
tbody span { display: block; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: normal; }
td.prose { min-width: 16rem; }
thead th { color: var(--quiet); font-size: .8125rem; }
@media (max-width: 40rem) {
  td.prose, thead th:last-child { display: none; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem 1rem; }
  .log li { grid-template-columns: auto 1fr; }
  .log li > div { grid-column: 1 / -1; min-width: 0; }
  .log .stdout + .stdout :is(.kind, time), .log .stderr + .stderr :is(.kind, time) { display: none; }
}
`;
