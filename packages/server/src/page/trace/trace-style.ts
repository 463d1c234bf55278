/** The page's style, in the system's font and in its light or dark mode. */
export const TRACE_STYLE: string = `
:root{color-scheme:light dark;--paper:#f6f6f4;--card:#fff;--ink:#1d1f23;--soft:#5d636c;--line:#e3e4e1;--hover:#f3f5f8;--code:#f6f6f4;
--model:#3f6fd1;--tool:#1f9276;--retry:#c4861a;--compaction:#8460cc;--steering:#4a5568;--bad:#c8322b;--bad-soft:#fdeceb;--warn-soft:#fdf3df;--warn:#855a08;
--cols:minmax(0,26rem) 4.5rem 8rem 5rem minmax(12rem,1fr)}
@media(prefers-color-scheme:dark){:root{--paper:#141518;--card:#1b1d21;--ink:#e4e6ea;--soft:#9aa1ac;--line:#2c2f35;--hover:#22252b;--code:#141518;
--model:#6f9bf2;--tool:#3fb795;--retry:#dba244;--compaction:#a98bea;--steering:#a3adbb;--bad:#f0736a;--bad-soft:#3a2020;--warn-soft:#372c14;--warn:#e6be6a}}
*{box-sizing:border-box}
html{scroll-padding-top:4rem}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
noscript{display:block;padding:2rem}
main{max-width:110rem;margin:0 auto;padding:2rem clamp(1rem,3vw,3rem) 4rem}
h1{font-size:1.6rem;line-height:1.25;font-weight:650;margin:0;letter-spacing:-.01em;overflow-wrap:anywhere}
h2,h3,h4,p,dl,dd,ul{margin:0;padding:0}
header p{color:var(--soft);margin-top:.15rem}header p b{color:var(--ink);font-weight:600}
.figures{display:flex;flex-wrap:wrap;gap:.75rem 2rem;margin:1.25rem 0 1rem}
.figures dt{color:var(--soft);font-size:12px}.figures dd{font-size:1.15rem;font-weight:600;line-height:1.3}.figures .bad dd{color:var(--bad)}
.key{display:flex;flex-wrap:wrap;gap:.35rem;margin:0 0 .75rem}
.key label{display:inline-flex;align-items:center;gap:.3rem;cursor:pointer}
button,label,input[type=search]{font-size:12px;color:var(--soft);background:var(--card);border:1px solid var(--line);border-radius:99px;padding:.2rem .7rem}
button{font-family:inherit;cursor:pointer}input[type=search]{flex:0 1 14rem;margin-left:auto;min-width:0}label:has(:checked){color:var(--ink);border-color:var(--c)}
label input{margin:0;accent-color:var(--c)}
[hidden],:is(.between,.plot section):not(:has(>.row:not([hidden]))){display:none!important}
.key i{width:10px;height:10px;border-radius:3px;background:var(--c)}
.model{--c:var(--model)}.tool{--c:var(--tool)}.retry,.fallback{--c:var(--retry)}.compaction{--c:var(--compaction)}.steering,.resumption,.queued,.note{--c:var(--steering)}.bad{--c:var(--bad)}
.warning{background:var(--warn-soft);color:var(--warn);padding:.5rem .9rem;border-radius:8px;margin-top:1rem;overflow-wrap:anywhere}
.overview{margin:1.25rem 0 1.5rem;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.75rem 1rem .5rem}
.strip{position:relative;height:34px}
.strip a{position:absolute;top:6px;bottom:6px;left:min(var(--x),100% - 3px);width:max(3px,var(--w) - 1px);background:var(--model);border-radius:3px;opacity:.8}
.strip a:hover{opacity:1}.strip a.bad{background:var(--bad)}
s{position:absolute;top:0;bottom:0;left:var(--x);width:var(--w);min-width:1px;background:repeating-linear-gradient(135deg,transparent 0 3px,var(--line) 3px 5px)}
.strip s{top:6px;bottom:6px}
.labels{position:relative;height:1.4rem;color:var(--soft);font-size:11.5px}
.labels span,.axis .w span{position:absolute;left:var(--x);white-space:nowrap}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.prompts{display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem}
.prompt,.between{background:var(--card);border:1px solid var(--line);border-radius:10px}
.prompt.bad{border-left:3px solid var(--bad)}
.cells{display:grid;grid-template-columns:var(--cols);gap:0 1rem;align-items:center;min-height:30px;padding:0 1rem}
.cells>span{white-space:nowrap;overflow:hidden;text-overflow:ellipsis;color:var(--soft);font-size:12.5px;text-align:right}
.cells>.n{text-align:left;color:var(--ink);font-size:13px;unicode-bidi:isolate}
.cells>.w{grid-column:5;position:relative;overflow:visible;height:100%;text-align:left}
summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
summary:focus-visible,button:focus-visible,input:focus-visible{outline:2px solid var(--model);outline-offset:-2px;border-radius:8px}
.prompt>summary{min-height:46px;border-radius:9px}
.prompt>summary .n{font-size:14px}.prompt>summary .n b{display:inline-block;min-width:2rem;color:var(--soft);font-weight:600}
.prompt[open]>summary{border-bottom:1px solid var(--line);border-radius:9px 9px 0 0}
.prompt[open]>summary .small{visibility:hidden}.prompt[open]>summary .n{white-space:normal;overflow-wrap:anywhere;padding:.5rem 0 .5rem 2.2rem}.prompt[open]>summary .n b{margin-left:-2.2rem}
summary:hover{background:var(--hover)}
mark{background:var(--warn-soft);color:var(--warn);border-radius:99px;padding:.05em .6em;font-size:11.5px;white-space:nowrap;margin-left:.35rem}
mark.error{background:var(--bad-soft);color:var(--bad)}
.small{position:absolute;left:0;top:50%;width:max(6px,var(--w));height:8px;margin-top:-4px}
.small i{position:absolute;left:min(var(--x),100% - 1px);width:max(1px,var(--w));height:8px;border-radius:2px;background:var(--c);opacity:.75}
.body{padding:.25rem 0 .75rem;scroll-margin-top:4rem}
.said{padding:.25rem 1rem 0}.said h4{display:none}
.plot{position:relative}
.lines{position:absolute;inset:0;pointer-events:none}
u{position:absolute;top:0;bottom:0;left:var(--x);border-left:1px solid var(--line)}
.axis{color:var(--soft);min-height:26px}.axis>span{font-size:11.5px}.axis .w span{top:4px;margin-left:4px}
h3{font-size:12px;font-weight:600}h3.cells>.n{color:var(--soft);font-size:12px}
h3 i{position:absolute;left:min(var(--x),100% - 3px);width:max(3px,var(--w));top:50%;height:2px;background:var(--soft);opacity:.45;border-radius:1px}
.row{position:relative}
.row .n{padding-left:1.1rem}
.row .n::before{content:"";display:inline-block;width:7px;height:7px;border-radius:2px;background:var(--c);margin:0 .55rem 1px -1.1rem}
.row b{font-weight:600}.row q{quotes:none;color:var(--soft);margin-left:.35rem;unicode-bidi:isolate}
.row.bad q,.row.bad em{color:var(--bad)}.row em{font-style:normal;font-weight:700;margin-right:.35rem}
.row .w i{position:absolute;left:min(var(--x),100% - 4px);width:max(4px,var(--w));top:50%;height:12px;margin-top:-6px;border-radius:3px;background:var(--c)}
.row.retry .w i{background:repeating-linear-gradient(135deg,var(--c) 0 3px,transparent 3px 6px);outline:1px solid var(--c);outline-offset:-1px}
.row:is(.steering,.resumption) .w i{width:8px;height:8px;margin:-4px 0 0 -4px;border-radius:50%}
.row:is(.resumption,.note) b{font-weight:500;color:var(--warn)}
.row[open]>summary{background:var(--hover)}
.more{position:relative;background:var(--card);border-block:1px solid var(--line);padding:.75rem 1rem 1rem 2.1rem;margin-bottom:.25rem}
.facts{color:var(--soft);font-size:12.5px;overflow-wrap:anywhere}
h4{font-size:12px;font-weight:600;color:var(--soft);margin:.7rem 0 .25rem}
pre{margin:0;font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere;max-height:28rem;overflow:auto;unicode-bidi:plaintext}
.said pre{font-family:inherit;font-size:14px;border:0;background:none;padding:.4rem 0}
.cut{color:var(--warn);font-size:12px;margin-top:.25rem}
footer{padding:.6rem 1rem 0;margin-top:.5rem;border-top:1px solid var(--line)}
.between .cells{min-height:36px;align-items:center}.other{color:var(--soft);font-size:12.5px;margin-top:1rem;overflow-wrap:anywhere}
@media(max-width:60rem){:root{--cols:minmax(0,1fr) auto}
.cells>.k,.prompt[open]>summary .w{display:none}
.cells>.w{grid-column:1/-1;height:16px}.lines{display:none}.axis .n,.axis>span:nth-child(2){display:none}
.cells{padding-bottom:.3rem}.row .w i{top:4px;margin-top:0;height:9px}.prompt>summary .n{padding-top:.35rem}.small{top:8px}.labels span:nth-child(n+2){display:none}h3 .w{display:none}
.figures{gap:.6rem 1.4rem}}
@media print{.key{display:none}.row,.overview{break-inside:avoid}pre{max-height:none}}
`;
