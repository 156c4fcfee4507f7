import { catalogRead, type Place, read } from '../../app/reads.ts';
import { draftsRead } from './drafts.reads.ts';
import { templatesRead } from './templates.reads.ts';

export function newJobReads({ search: { draft, from, template, type } }: Place) {
  const isChoice = !draft && !from && !template && !type;
  return {
    catalog: catalogRead,
    drafts: isChoice ? draftsRead : undefined,
    templates: isChoice ? templatesRead : undefined,
    session: draft ? read('readIntake', { path: { id: draft } }) : undefined,
  };
}
