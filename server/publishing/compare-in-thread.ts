import pLimit from 'p-limit';
import { type Documents, isText, ofFile } from '../catalog/documents.ts';
import { refuseLateWork } from '../http/work.ts';
import { deadlines } from '../lib/deadlines.ts';
import { inThread, LimitReached } from '../lib/thread.ts';
import type { Compared, Comparison } from './compare-documents.ts';

/** Each needs a core. */
const atOnce = pLimit(2);

/** Twice what the largest catalog needs. */
const megabytes = 256;

/** Compares what somebody sent in a thread, which nothing that they write can hold up for long. */
export const compareInThread = (compared: Compared): Promise<Comparison> =>
  atOnce(async () => {
    refuseLateWork();
    const limits = { milliseconds: deadlines.catalog.read, megabytes };
    try {
      return await inThread<Comparison>('publishing/comparing-thread', compared, limits);
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      const problem = ofFile(largestText(compared.after), 'takes too long to read: make the documents simpler');
      const leftOut = { services: [], plans: [] };
      const nothing = { unclear: [], changes: [], plans: [], leftOut, affected: [], cleaned: [], putBack: [] };
      return { problems: [problem], ...nothing };
    }
  });

const largestText = (documents: Documents): string =>
  [...documents].filter(([file]) => isText(file)).toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ??
  'families.yaml';
