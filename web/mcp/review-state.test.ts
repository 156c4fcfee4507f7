import { expect, test } from 'vitest';
import type { Delivery, File, Job } from '../../client/generated/types.gen.ts';
import { filesOf, openReview, revisionOf, sayPoster, sayUnseen, takesPins } from './review-state.ts';

const file = (id: string, content_type: string, poster: string | null = 'https://atelier.example.com/p') =>
  ({ id, content_type, poster, file_name: id, width: null, height: null }) as File;
const files = [file('late', 'text/plain', null), file('logo', 'image/png'), file('sheet', 'application/pdf')];
const job = {
  id: 'job_1',
  files,
  revisions: { used: 1, included: 2 },
  allowed_actions: ['approve', 'revision'],
} as Job;
const delivery = { round: 1, message: null, file_ids: ['sheet', 'logo', 'gone'] } as unknown as Delivery;
const box = { x: 10, y: 20.5, w: 0, h: 0 };
const review = (changes: object = {}) => ({ ...openReview(job, delivery), ...changes });

test('files come in the order of the delivery', () => {
  expect(filesOf(review()).map(({ id }) => id)).toEqual(['sheet', 'logo']);
});

test('pictures, drawings of them, and PDF with a poster take pins, nothing else does', () => {
  expect(files.map(takesPins)).toEqual([false, true, true]);
  expect(['image/svg+xml', 'application/postscript'].map((type) => takesPins(file('mark', type)))).toEqual([
    true,
    true,
  ]);
  expect(takesPins(file('film', 'video/mp4'))).toBe(false);
  expect(takesPins(file('broken', 'image/png', null))).toBe(false);
});

test('a poster that is not the whole file is called what it is', () => {
  expect(files.map(sayPoster)).toEqual(['', '', 'first page']);
  expect([sayPoster(file('film', 'video/mp4')), sayPoster(file('mark', 'image/svg+xml'))]).toEqual([
    'a frame of the film',
    'a drawing',
  ]);
  expect(sayPoster({ ...file('logo', 'image/png'), width: 3_400, height: 2_600 })).toBe('reduced from 3,400 × 2,600');
  expect(sayPoster({ ...file('logo', 'image/png'), width: 400, height: 260 })).toBe('');
});

test('a file without a poster says what to do with it, where something can be done', () => {
  const notes = file('notes', 'text/plain', null);
  expect(sayUnseen(notes, true)).toBe('This file cannot be shown here. Open it to read it.');
  expect(sayUnseen(notes, false)).toBe('This file cannot be shown here.');
  expect(sayUnseen({ ...notes, poster_status: 'pending' }, true)).toBe('The service is drawing this file.');
});

test('a request has the words, and each note with its place', () => {
  const notes = [
    { fileId: 'logo', box, text: 'Rounder.' },
    { fileId: 'sheet', box, text: 'Thinner.' },
    { fileId: 'logo', box: null, text: 'Warmer.' },
  ];
  expect(revisionOf(review({ notes, words: ' ' }))).toEqual({
    args: {
      job_id: 'job_1',
      round: 1,
      comments: [
        { file_id: 'logo', text: 'Rounder.', at: 'xywh=percent:10,20.5,0,0' },
        { file_id: 'sheet', text: 'Thinner.', at: 'page=1&xywh=percent:10,20.5,0,0' },
        { file_id: 'logo', text: 'Warmer.' },
      ],
    },
  });
  expect(revisionOf(review({ words: 'Softer.' }))).toEqual({
    args: { job_id: 'job_1', round: 1, customer_instructions: 'Softer.' },
  });
});

test('a request without words, or with an empty note, says what is missing', () => {
  expect(revisionOf(review())).toContain('Write what to change');
  expect(revisionOf(review({ words: 'Softer.', notes: [{ fileId: 'logo', box, text: ' ' }] }))).toContain('place 1');
});
