import type { JobEvent } from '../../../client/generated/types.gen.ts';
import { eventWords } from './words.ts';

const correctionWords: Record<string, string> = { reference: 'reference', wanted_by: 'wish date' };

/** What the customer changed, such as "the reference"; empty if nothing that concerns people. */
export const sayChanged = ({ changed = [] }: JobEvent['data']): string =>
  changed.flatMap((field) => (correctionWords[field] ? [`the ${correctionWords[field]}`] : [])).join(' and ');

/** A type that a later release may bring is passed over, and so is a change of metadata alone. */
export const isShown = ({ type, data }: JobEvent): boolean =>
  type in eventWords && (type !== 'job.updated' || sayChanged(data) !== '');
