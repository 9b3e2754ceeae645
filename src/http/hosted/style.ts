/** The one style sheet of the hosted pages: telephone first, two columns where there is room, dark where it is wanted. */
import { METHOD_COLOURS } from './method-colours.ts';

const methods = Object.entries(METHOD_COLOURS)
  .map(([method, colour]) => `.method-${method}{--badge:${colour}}`)
  .join('\n');

/** Windows of a 3-D Secure challenge in CSS pixels, by code; `05` fills the page. Engine decisions, "3-D Secure". */
const WINDOWS = { '01': [250, 400], '02': [390, 400], '03': [500, 600], '04': [600, 400] } as const;

const windows = Object.entries(WINDOWS)
  .map(([code, [width, height]]) => `.window-${code} iframe{width:${width}px;height:${height}px}`)
  .join('\n');

/** CSS text. */
export const STYLE = `
:root{color-scheme:light dark;--page:#eef1f6;--sheet:#fff;--tint:#f6f8fc;--ink:#17202b;--muted:#55606d;--line:#d9dfe8;--edge:#7d8896;
--accent:#2747c7;--on:#fff;--press:#1c36a3;--bad:#a3211b;--bad-soft:#fdf0ee;--note:#6b4300;--note-soft:#fdf3de;--shade:0 1px 2px #17202b14,0 12px 32px -12px #17202b33}
@media (prefers-color-scheme:dark){:root{--page:#0e1218;--sheet:#171d26;--tint:#1c232e;--ink:#e7ebf1;--muted:#a3aebb;--line:#2e3846;--edge:#7a8798;
--accent:#9db2ff;--on:#0d1430;--press:#bccaff;--bad:#ff9d94;--bad-soft:#321a18;--note:#f3cd86;--note-soft:#2c2312;--shade:0 1px 2px #0006,0 12px 32px -12px #000a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:400 1rem/1.5 "Segoe UI","Helvetica Neue",Arial,system-ui,sans-serif}
h1,h2,h3,p,ul,dl,dd,fieldset{margin:0;padding:0;border:0}
h1{font-size:1.5rem;line-height:1.25;font-weight:600}
h2{font-size:1.125rem;line-height:1.35;font-weight:600}
h3{font-size:1rem;font-weight:600}
.sandbox{padding:.5rem 1rem;background:var(--note-soft);color:var(--note);border-bottom:1px solid;font-size:.875rem;text-align:center}
main{flex:1;display:grid;grid-template-columns:minmax(0,1fr);align-items:start;justify-items:center;padding:clamp(.75rem,4vw,3.5rem) clamp(.75rem,4vw,2rem)}
.sheet{width:100%;max-width:58rem;min-width:0;background:var(--sheet);border:1px solid var(--line);border-radius:.875rem;box-shadow:var(--shade);overflow:hidden}
.two{display:grid;grid-template-columns:minmax(0,1fr)}
.summary,.act,.notice,.challenge{padding:clamp(1.25rem,5vw,2.5rem)}
.summary{background:var(--tint);border-bottom:1px solid var(--line)}
.figure{display:block;font-size:clamp(1.5rem,6.5vw,2rem);font-weight:700;letter-spacing:-.015em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.merchant{display:block;margin-top:.25rem;color:var(--muted);font-size:1rem;font-weight:400;overflow-wrap:anywhere}
dl{margin-top:1.25rem;font-size:.9375rem}
dt,.summary h2{color:var(--muted);font-size:.875rem;font-weight:400}
dd{overflow-wrap:anywhere}
.summary h2{margin-top:1.25rem}
.items{list-style:none;font-size:.9375rem}
.items.many{max-height:16rem;overflow:auto}
.items li{padding:.5rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.items li:first-child{border:0;padding-top:.125rem}
.items small{display:block;color:var(--muted);font-size:.875rem}
.act h2{margin-bottom:1.25rem}
.stored{margin-bottom:2rem;padding-bottom:2rem;border-bottom:1px solid var(--line)}
.act h3{margin-top:1rem}
.field{min-width:0;margin-bottom:1.125rem}
label,legend{display:block;padding:0;margin-bottom:.25rem;font-weight:600}
label.small{margin-bottom:.375rem;color:var(--muted);font-size:.875rem;font-weight:400;line-height:1.35}
.hint{margin-bottom:.375rem;color:var(--muted);font-size:.875rem;line-height:1.35}
.fault{margin-bottom:.375rem;color:var(--bad);font-size:.9375rem;font-weight:600;line-height:1.35}
input{width:100%;min-height:3rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--sheet);color:var(--ink);font:inherit;font-size:1.0625rem;font-variant-numeric:tabular-nums;letter-spacing:.02em}
input::placeholder{color:var(--muted);opacity:1}
input[aria-invalid]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11.5rem),1fr));gap:0 1.25rem;align-items:start}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
.code input{max-width:8rem}
button,.button{display:inline-flex;align-items:center;justify-content:center;width:100%;min-height:3rem;padding:.625rem 1.25rem;border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on);font:inherit;font-size:1.0625rem;font-weight:600;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--press);border-color:var(--press)}
.second{background:transparent;color:var(--ink);border-color:var(--edge)}
.second:hover{background:var(--tint);border-color:var(--ink)}
.quiet{background:transparent;border-color:transparent;color:var(--accent);font-weight:400;font-size:1rem;text-decoration:underline;text-underline-offset:.2em}
.quiet:hover{background:transparent;border-color:transparent;color:var(--press);text-decoration-thickness:2px}
:is(input,button,a,.faults,iframe,.items):focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.act form+form{margin-top:.75rem}
.promise{margin-top:1rem;color:var(--muted);font-size:.875rem;line-height:1.45}
.promise+form{margin-top:1.25rem}
.faults{margin-bottom:1.5rem;padding:1rem 1.125rem;border:1px solid var(--bad);border-left-width:.375rem;border-radius:.5rem;background:var(--bad-soft)}
.faults h3{margin:0;color:var(--bad)}
.faults ul{margin:.375rem 0;padding-left:1.125rem}
.faults a{color:var(--bad);font-weight:600}
.faults p{font-size:.875rem}
.method{display:flex;align-items:center;gap:.875rem}
.badge{flex:none;display:grid;place-items:center;width:3rem;height:3rem;border-radius:.75rem;background:var(--badge,#2747c7);color:#fff;font-size:1.5rem;font-weight:700;line-height:1}
.method h2{margin:0;overflow-wrap:anywhere;min-width:0}
.notice{max-width:32rem;margin-block:auto;text-align:center}
.notice p{margin-top:.75rem;color:var(--muted);overflow-wrap:anywhere}
.notice .button{width:auto;min-width:12rem;margin-top:.75rem}
.notice .amount{color:var(--ink);font-size:1.25rem;font-weight:600}
.notice button{margin-top:1rem}
main:has(.notice){align-items:center}
.spinner{width:2.5rem;height:2.5rem;margin:0 auto 1.25rem;border:3px solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media (prefers-reduced-motion:reduce){.spinner{animation-duration:6s}}
.challenge{width:max-content;max-width:100%;text-align:center}
.challenge h1,.challenge>p{max-width:34rem;margin-inline:auto}
.challenge>p{margin-block:.5rem 1.25rem;color:var(--muted)}
.challenge.window-05{width:100%}
iframe{display:block;width:100%;height:70vh;max-width:100%;margin:0 auto;border:1px solid var(--edge);border-radius:.5rem;background:var(--sheet)}
${windows}
.challenge .leave{margin-top:1rem}
.inside{min-height:0;background:var(--sheet)}
.inside main{display:block;justify-items:normal;width:100%;padding:1.25rem;max-width:26rem;margin:auto;text-align:left}
.inside h1{font-size:1.125rem;margin-bottom:1.25rem;overflow-wrap:anywhere}
.inside button+button{margin-top:.75rem}
.issuer{margin-bottom:.75rem;padding-bottom:.75rem;border-bottom:2px solid var(--accent);font-weight:700}
${methods}
@media (min-width:48rem){
.two{grid-template-columns:minmax(0,5fr) minmax(0,7fr)}
.summary{border-bottom:0;border-right:1px solid var(--line)}
}
`;
