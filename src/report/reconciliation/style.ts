/** Rules for what only the report of a reconciliation has, in addition to those of every report. */
export const STYLE = `
.card.sides{flex:1 1 29rem}
.card .light th,.card .light td{color:var(--muted);font-weight:400}
.date{white-space:nowrap}
.pair{display:flex;flex-wrap:wrap;gap:1.5rem 2.5rem;align-items:flex-start;margin-top:1.5rem}
.pair>*{flex:1 1 28rem;min-width:0;margin:0}
.fails .currency{color:inherit}
details.others{margin-top:1rem}
summary{display:inline-block;padding:.4rem .9rem;border:1px solid var(--muted);border-radius:.5rem;background:var(--soft);font-weight:600;cursor:pointer}
summary::before{content:"▸ ";color:var(--muted)}
[open]>summary::before{content:"▾ "}
summary::-webkit-details-marker{display:none}
summary:focus-visible{outline:2px solid var(--waiting);outline-offset:3px}
details .scroll{margin-top:1rem}
#breaks .text{width:100%}
#breaks th:first-child{min-width:10.5rem}
#breaks .id{min-width:12.5rem}
#breaks .scroll .number{min-width:7rem}
#breaks .scroll .number:last-child{min-width:4.5rem}
#kinds .text{width:100%}
#kinds th:first-child{white-space:nowrap}
#waterfall tbody th,#payouts tbody th{min-width:8rem}
#kinds .scroll{margin-top:1.75rem}
#breaks th,#breaks td,#payouts td{overflow-wrap:anywhere}
@media screen and (min-width:76rem){
#breaks .scroll{overflow:visible}
#breaks thead th{position:sticky;top:0;background:var(--page)}
}
@media (max-width:36rem){
.card.sides{flex-basis:100%}
.sides tr{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:0 .5rem;padding:.35rem 0}
.sides tr>:first-child{grid-column:1/-1}
.sides thead th:first-child{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.card.sides .rule td{border:0}
.card.sides th,.card.sides td{padding:.05rem 0;white-space:normal;overflow-wrap:anywhere}
}
@media screen and (max-width:36rem){
.scroll td.number{display:inline-block;margin-right:1.25rem}
.scroll th[data-label]::before{content:none}
#breaks .scroll th,#breaks .scroll td,#breaks .scroll .number,#breaks .scroll .number:last-child{min-width:0}
}
@media print{
summary{display:none}
details::details-content{content-visibility:visible;display:block;height:auto}
#breaks table,#payouts table{font-size:7.5pt}
#breaks .hint,#payouts .hint{font-size:7pt}
.card.sides{flex:1 1 40%}
.pair{gap:4mm}
#kinds .pair>*{flex:1 1 40%}
#kinds .drawing.wide{display:none}
#kinds .drawing.narrow{display:block}
#breaks th:first-child{min-width:29mm}
#breaks .id{min-width:24mm}
#breaks .scroll .number,#breaks .scroll .number:last-child{min-width:0}
}
`;
