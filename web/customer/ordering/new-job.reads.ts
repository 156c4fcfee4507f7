import { catalogRead, type Place, read, readPages } from '../../app/reads.ts';
import { templatesRead } from './templates.reads.ts';

export const draftsRead = readPages('listIntake', { query: { status: ['open', 'brief_ready'], limit: 10 } });

/** What goes along with an order. */
export const kitRead = read('readBrand');

export function newJobReads({ search: { draft, from, template, type } }: Place) {
  const isChoice = !draft && !from && !template && !type;
  return {
    catalog: catalogRead,
    kit: kitRead,
    drafts: isChoice ? draftsRead : undefined,
    templates: isChoice ? templatesRead : undefined,
    session: draft ? read('readIntake', { path: { id: draft } }) : undefined,
  };
}
