// npm run bench -- [NAME…] [--pairs 7] [--json]. Each bench prints one table beside its peer or its budget.
import { parseArgs } from "node:util";
import { jsonLine, table } from "./table.mjs";

const names = ["engine", "handoff", "install", "memory", "cli", "daemon", "heal"];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, pairs: { type: "string", default: "7" } },
});
const pairs = Number(values.pairs);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0 || !Number.isInteger(pairs) || pairs < 1) {
  console.error(`usage: npm run bench -- [NAME…] [--pairs N] [--json]\nnames: ${names.join(" ")}`);
  process.exit(2);
}

for (const name of positionals.length > 0 ? positionals : names) {
  const { bench } = await import(`./${name}.mjs`);
  console.error(`bench ${name}: running`);
  const cases = await bench({ pairs, say: (words) => console.error(`  ${words}`) });
  if (values.json) for (const one of cases) console.log(jsonLine(name, one));
  else console.log(table(name, cases));
}
