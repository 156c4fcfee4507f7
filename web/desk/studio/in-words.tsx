import { Fragment } from 'react';
import type { ServiceInUse } from '../../app/api.ts';
import { type Change, changesBetween, sayConcerned } from './catalog-words.ts';
import { changedFields } from './face-fields.ts';
import { type Family, familiesIn } from './families.ts';
import type { StudioEdits } from './use-edits.ts';

/** A change of any file, which can be taken back alone. */
export type Listed = Pick<Change, 'of' | 'id' | 'words' | 'was' | 'now'> & {
  concerned: string;
  undo: () => boolean;
};

const families = 'families.yaml';
const names: Record<string, string> = { 'plans.yaml': 'Plans', 'file-types.yaml': 'File types' };

/** All that is not published, in words. */
export function listChanges(edits: StudioEdits, services: readonly ServiceInUse[]): Listed[] {
  const [before, now] = [familiesIn(edits.publishedText(families)), familiesIn(edits.text(families))];
  const inForm = before && now ? changesBetween(before, now) : [];
  const listed = inForm.map(({ undo, concerns, ...change }) => ({
    ...change,
    concerned: sayConcerned({ undo, concerns, ...change }, services),
    undo: () => {
      const text = undo(edits.text(families));
      if (text !== null) edits.edit([families, { text }]);
      return text !== null;
    },
  }));
  const others = edits.changed.filter((file) => file !== families || inForm.length === 0);
  return [...listed, ...others.map((file) => fileChange(edits, file, now ?? before ?? []))];
}

function fileChange(edits: StudioEdits, file: string, list: Family[]): Listed {
  const undo = () => (edits.revert(file), true);
  const [, family = '', option = ''] = /^pictures\/([^/]+)\/([^.]+)\./.exec(file) ?? [];
  const service = list.find(({ id }) => id === family)?.services.find(({ id }) => id === option);
  const stored = edits.newest.documents.some((document) => document.file === file);
  const became = edits.edits.files[file] === 'removed' ? 'removed' : stored ? 'replaced' : 'added';
  const common = { id: service ? `${family}/${option}` : '', concerned: '', undo };
  if (service) return { ...common, of: service.name, words: `Picture ${became}` };
  if (file === families) return { ...common, of: file, words: 'Comments or layout' };
  if (file === 'studio.yaml') {
    const fields = changedFields(edits.publishedText(file), edits.text(file));
    return { ...common, of: 'Face', words: new Intl.ListFormat('en').format(fields) };
  }
  return { ...common, of: names[file] ?? file, words: file.endsWith('.yaml') ? 'Changed' : `Picture ${became}` };
}

export const ChangeWords = ({ words, was, now }: Pick<Listed, 'words' | 'was' | 'now'>) => (
  <>
    {words}
    {was !== undefined && (
      <>
        {' '}
        <del className="third">{was}</del> {now}
      </>
    )}
  </>
);

/** What a publication changes, before its lines. */
export function InWords({ edits, services }: { edits: StudioEdits; services: readonly ServiceInUse[] }) {
  return (
    <dl
      className="facts"
      style={{ gridTemplateColumns: 'fit-content(40%) 1fr', textAlign: 'left' }}
      aria-label="In words"
    >
      {listChanges(edits, services).map((change, index) => (
        <Fragment key={index}>
          <dt className="second">{change.of}</dt>
          <dd className="breaks" style={{ textAlign: 'left' }}>
            <ChangeWords {...change} />. {change.concerned && <span className="second">{change.concerned}.</span>}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
