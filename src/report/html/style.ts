/** The one style sheet of the report: screen, narrow screen, dark screen, paper. */
import { OUTCOMES } from '../../core/outcome.ts';
import { COLOURS, type Paint } from './colours.ts';

const DARK_COLOURS: Readonly<Record<Paint, string>> = {
  succeeded: '#4fb583',
  pending: '#6aa5e6',
  refused: '#ef7269',
  invalid: '#e8a24f',
  duplicate: '#9aa7b6',
  unknown: '#b48cf0',
  not_sent: '#6f7b8a',
};

/** Outcome colours as variables, so that drawings and labels change together. */
function variables(colours: Readonly<Record<Paint, string>>): string {
  return OUTCOMES.map((outcome) => `--${outcome}:${colours[outcome]};`).join('');
}

export const STYLE = `
:root{color-scheme:light dark;--page:#fff;--ink:#1a222c;--muted:#56616e;--line:#dce1e7;--soft:#f6f8fa;--on:#fff;
--good:#1d6a44;--good-soft:#ebf6f0;--waiting:#245d9c;--waiting-soft:#ebf3fb;--attention:#8a4f00;--attention-soft:#fdf4e4;--bad:#a21f19;--bad-soft:#fcedeb;${variables(COLOURS)}}
@media screen and (prefers-color-scheme:dark){:root{--page:#12171d;--ink:#e4e8ed;--muted:#9ca8b5;--line:#2d3640;--soft:#1a2129;--on:#10151a;
--good:#67cc9a;--good-soft:#14261d;--waiting:#7fb4ee;--waiting-soft:#142233;--attention:#efb25e;--attention-soft:#2a2012;--bad:#f58a82;--bad-soft:#2f1816;${variables(DARK_COLOURS)}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:74rem;padding:1.5rem clamp(1rem,3vw,2.5rem) 3rem;background:var(--page);color:var(--ink);font:400 1rem/1.5 "Segoe UI","Helvetica Neue",Arial,system-ui,sans-serif}
h1,h2,h3,p,ul,dl,dd,figure{margin:0}
h1{font-size:1.5rem;line-height:1.2;font-weight:600}
h2{font-size:1.25rem;line-height:1.3;font-weight:600}
h3{font-size:1rem;line-height:1.4;font-weight:600}
header{display:grid;gap:.15rem;padding-bottom:1rem;border-bottom:2px solid var(--ink);margin-bottom:1.5rem}
.brand{font-weight:700;letter-spacing:.02em;color:var(--muted)}
.which{color:var(--muted);overflow-wrap:anywhere}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--muted);font-size:.875rem;overflow-wrap:anywhere}
section{margin-top:2.75rem}
section>h2{margin-bottom:.75rem}
section>h3{margin:1.75rem 0 .5rem}
.lead{max-width:62rem;margin-bottom:1rem;color:var(--muted);overflow-wrap:anywhere}
.note,.hint{color:var(--muted);font-size:.875rem}
.hint{overflow-wrap:anywhere}
.given{overflow-wrap:anywhere;white-space:normal}
.verdict li .given{font-weight:600}
code{font:.9em/1.4 ui-monospace,"Cascadia Mono",Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
.verdict{display:grid;grid-template-columns:auto minmax(0,1fr);gap:1.25rem;margin:0;padding:1.5rem;border:1px solid var(--tone);border-left-width:.5rem;border-radius:.5rem;background:var(--tone-soft)}
.good{--tone:var(--good);--tone-soft:var(--good-soft)}
.waiting{--tone:var(--waiting);--tone-soft:var(--waiting-soft)}
.attention{--tone:var(--attention);--tone-soft:var(--attention-soft)}
.bad{--tone:var(--bad);--tone-soft:var(--bad-soft)}
.seal{display:grid;place-items:center;width:3.25rem;height:3.25rem;border-radius:50%;background:var(--tone);color:var(--on);font-size:1.75rem;font-weight:700;line-height:1}
.verdict .status{color:var(--tone);font-weight:700}
.verdict h2{font-size:1.5rem;margin:.1rem 0 .5rem}
.verdict h3{margin:1rem 0 .25rem}
.verdict ul{padding-left:1.2rem}
.verdict li{margin:.25rem 0}
.verdict .exit{margin-top:1rem;color:var(--muted);font-size:.875rem}
.sandbox{margin-top:1rem;padding:.7rem 1.25rem;border:2px dashed var(--muted);border-radius:.5rem;text-align:center}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
caption{text-align:left;font-weight:600}
.scroll>table>caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th,td{padding:.5rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--muted);font-size:.8125rem;font-weight:600;vertical-align:bottom;border-bottom:1px solid var(--muted)}
tbody th{font-weight:400}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.none td{color:var(--muted)}
.currency{color:var(--muted)}
.checks .currency{color:inherit}
.scroll{position:relative;overflow-x:auto}
.scroll:focus-visible{outline:2px solid var(--waiting);outline-offset:3px}
.scroll .number:not(:first-child){min-width:5rem}
.id{min-width:11rem}
.text{width:55%;min-width:18rem}
.name{white-space:nowrap}
.outcome{white-space:nowrap}
.sign{display:inline-block;width:1.4em;margin-right:.5em;text-align:center;border-radius:.25em;color:var(--on);background:var(--c);font-size:.8em;font-weight:700;line-height:1.4;-webkit-print-color-adjust:exact;print-color-adjust:exact}
${OUTCOMES.map((outcome) => `.${outcome}{--c:var(--${outcome})}`).join('')}
.cards{display:flex;flex-wrap:wrap;gap:1.25rem}
.card{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--soft);flex:1 1 21.5rem}
.card.checks{flex:100 1 28rem}
.card thead th{white-space:normal;overflow-wrap:anywhere}
.card caption{padding-bottom:.35rem;font-size:1.0625rem;overflow-wrap:anywhere}
.card th,.card td{padding:.25rem .5rem}
.card th:first-child{padding-left:0}
.card td:last-child,.card th:last-child{padding-right:0}
.card tbody tr th,.card tbody tr td{border:0}
.card tfoot th,.card tfoot td{border:0;font-weight:600}
.card .rule th,.card .rule td{border-top:1px solid var(--ink);padding-top:.4rem}
.card .note{margin-top:.5rem}
.holds{color:var(--good);white-space:nowrap}
.fails{color:var(--bad)}
.checks h3{font-size:1.0625rem}
.checks ul{padding:0;list-style:none;font-size:.9375rem;font-variant-numeric:tabular-nums}
.checks li{padding:.5rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.checks li:last-child{border:0}
figure{min-width:0;max-width:36rem;margin-top:1.5rem}
figcaption{margin-bottom:.6rem;font-weight:600}
.drawing svg{display:block;width:100%;height:auto}
.drawing.narrow{display:none}
.drawing text{fill:var(--muted)}
.drawing text[fill="#fff"]{fill:var(--on);font-weight:600}
.drawing [stroke="#dfe3e8"]{stroke:var(--line)}
${OUTCOMES.map((outcome) => `.drawing [fill="${COLOURS[outcome]}"]{fill:var(--${outcome})}`).join('')}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:.5rem;font-size:.875rem}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,30rem),1fr));gap:0 2.5rem}
.facts>div{display:grid;grid-template-columns:10.5rem minmax(0,1fr);gap:.75rem;padding:.45rem 0;border-bottom:1px solid var(--line)}
.facts dt{color:var(--muted)}
.facts dd{overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
@media (max-width:36rem){
.verdict{grid-template-columns:minmax(0,1fr);padding:1.1rem;gap:.75rem}
.verdict h2{font-size:1.25rem}
.facts>div{grid-template-columns:minmax(0,1fr);gap:0}
.card{padding:.9rem;flex-basis:100%;min-width:0;overflow-x:auto}
.card table{font-size:.875rem}
.card th,.card td{padding-left:.25rem;padding-right:.25rem}
.drawing.wide{display:none}
.drawing.narrow{display:block}
}
@media screen and (max-width:36rem){
.scroll thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.scroll table,.scroll tbody,.scroll tr,.scroll th,.scroll td{display:block}
.scroll th,.scroll td,.scroll .number:not(:first-child){width:auto;min-width:0;padding:.1rem 0;border:0;text-align:left;white-space:normal}
.scroll tr{padding:.75rem 0;border-bottom:1px solid var(--line)}
.scroll .short{display:inline-block;margin-right:1rem}
.scroll [data-label]::before{content:attr(data-label) " ";color:var(--muted)}
.scroll tbody th{font-weight:600}
.scroll .number div{display:inline-block;margin-right:.75rem}
}
@media print{
:root{color-scheme:light}
body{max-width:none;padding:0;font-size:9.5pt;line-height:1.4}
header{margin-bottom:5mm;padding-bottom:3mm}
section{margin-top:7mm}
h1{font-size:15pt}h2{font-size:12pt}.verdict h2{font-size:13pt}h3{font-size:10pt}
h2,h3,caption,figcaption,.lead{break-after:avoid}
p{orphans:3;widows:3}
tbody tr:first-child{break-before:avoid}
.verdict,.sandbox,.card,figure,.lead,.facts>div,tr{break-inside:avoid}
.verdict,.sandbox,.card,.seal{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.verdict{padding:5mm}
thead{display:table-header-group}
table{font-size:8.5pt}
th,td{padding:1.2mm 1.8mm}
.scroll{overflow:visible}
.scroll .number:not(:first-child),.text{min-width:0}
.id{min-width:29mm}
#lines table{font-size:7.5pt}
.hint,.note,.legend,footer,.verdict .exit,thead th{font-size:8pt}
#lines .hint{font-size:7pt}
.cards{gap:4mm}
.card,.card.checks{flex:1 1 40%;padding:3mm 4mm}
.card caption,.checks h3{font-size:10pt}
.checks ul{font-size:8.5pt}
.checks .drawing.wide{display:none}
.checks .drawing.narrow{display:block}
figure{max-width:120mm}
.drawing{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.facts{grid-template-columns:minmax(0,1fr)}
.facts>div{grid-template-columns:40mm minmax(0,1fr);padding:1mm 0}
}
`;

/**
 * What stands in the margins of every printed page.
 * @param subject of what it is a report; of it and of the sentence nothing gets out of the style sheet
 * @param sandbox the sentence of a sandbox, in which a gateway's name is
 */
export function pageMarks(subject: string, sandbox: string | undefined): string {
  const name = subject.replace(/[^\w .:-]/g, '');
  const mark = 'font:8pt "Helvetica Neue",Arial,sans-serif;color:#56616e';
  const sentence = sandbox?.replace(/[^\w .:;/-]/g, '');
  const top = sentence === undefined ? '' : `@top-center{content:"${sentence}";${mark}}`;
  return `@page{size:A4;margin:16mm 14mm;${top}@bottom-left{content:"batchgate report of ${name}";${mark}}@bottom-right{content:"Page " counter(page) " of " counter(pages);${mark}}}
`;
}
