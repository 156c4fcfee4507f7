import { join } from 'node:path';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import {
  corpusOf,
  parts,
  precision,
  recall,
  type Score,
  scoreConversations,
  scoreDrafts,
} from '../test/corpus/corpus.ts';

/**
 * `npm run bench:recogniser`: how well the rule of intent check, preflight and intake finds what customers answered.
 * Precision: of what it says is answered, how much is. Recall: of what is answered, how much it finds.
 */
const catalog = loadCatalog(join(import.meta.dirname, '../catalog'));

const row = (family: string, score: Score) => ({
  family,
  entries: score.entries,
  answers: score.right + score.overlooked,
  precision: precision(score).toFixed(3),
  recall: recall(score).toFixed(3),
});
const sum = (scores: Score[]): Score =>
  scores.reduce((total, score) => ({
    entries: total.entries + score.entries,
    right: total.right + score.right,
    wrong: total.wrong + score.wrong,
    overlooked: total.overlooked + score.overlooked,
  }));

for (const part of parts) {
  const families = corpusOf(catalog, part);
  const drafts = families.map(([family, entries]) => scoreDrafts(family, entries));
  const talks = families.map(([family, entries]) => scoreConversations(catalog, family, entries));
  for (const [name, scores] of [
    ['drafts', drafts],
    ['conversations', talks],
  ] as const) {
    if (sum(scores).entries === 0) continue;
    process.stdout.write(`\n${name}, ${part}\n`);
    console.table([...families.map(([{ id }], i) => row(id, scores[i]!)), row('all', sum(scores))]);
  }
}
