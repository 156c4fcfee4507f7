import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import {
  corpusOf,
  parts,
  precision,
  recall,
  type Score,
  scoreDrafts,
  scoreLabelled,
  sum,
} from '../test/corpus/corpus.ts';

/**
 * `npm run bench:recogniser -- --json FILE` measures how well intent check, preflight and intake find
 * answers. Precision: how many reported answers are right. Recall: how many answers are found.
 */
const { json } = parseArgs({ options: { json: { type: 'string' } } }).values;
const catalog = loadCatalog(join(import.meta.dirname, '../catalog'));

const figures = (score: Score) => ({
  entries: score.entries,
  answers: score.right + score.overlooked,
  precision: Number(precision(score).toFixed(3)),
  recall: Number(recall(score).toFixed(3)),
});

const results = parts.map((part) => {
  const families = corpusOf(catalog, part);
  const byFamily = (scoreOf: (family: (typeof families)[number]) => Score) => {
    const scores = families.map((entry) => [entry[0].id, scoreOf(entry)] as const);
    return {
      all: figures(sum(scores.map(([, score]) => score))),
      families: Object.fromEntries(scores.map(([id, score]) => [id, figures(score)])),
    };
  };
  return {
    part,
    drafts: byFamily(([family, entries]) => scoreDrafts(family, entries)),
    labelled: byFamily(([family, entries]) => scoreLabelled(family, entries)),
  };
});

for (const { part, ...measured } of results)
  for (const [name, { all, families }] of Object.entries(measured))
    if (all.answers > 0) {
      process.stdout.write(`\n${name}, ${part}\n`);
      console.table({ ...families, all });
    }
if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
