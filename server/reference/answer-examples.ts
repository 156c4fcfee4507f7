import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerExamples } from '../../contract/document/responses.ts';
import { server } from '../lib/places.ts';

/** Recorded by `test/sweeps/answer-examples.test.ts`. Read when the whole document is made. */
export const answerExamplesFile = join(server, 'reference/answer-examples.json');

export const readAnswerExamples = (serverUrl: string): AnswerExamples =>
  JSON.parse(readFileSync(answerExamplesFile, 'utf8').replaceAll('{{url}}', serverUrl)) as AnswerExamples;
