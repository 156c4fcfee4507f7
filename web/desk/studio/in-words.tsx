import { VisuallyHidden } from '@mantine/core';
import { Fragment } from 'react';
import type { ServiceInUse } from '../../app/api.ts';
import { changesBetween, sayConcerned } from './catalog-words.ts';
import { filesOf, fileTypesFile } from './edits.ts';
import { changedFields } from './face-fields.ts';
import { fileTypesId, typeChanges } from './file-types.ts';
import { type Change, type Family, familiesIn, withoutService } from './families.ts';
import type { StudioEdits } from './use-edits.ts';

/** A change of any file, which can be taken back alone. */
export type Listed = Pick<Change, 'of' | 'id' | 'words' | 'was' | 'now'> & {
  concerned: string;
  undo: () => boolean;
};

const families = 'families.yaml';
const names: Record<string, string> = { 'plans.yaml': 'Plans', [fileTypesFile]: 'File types' };

/** All that is not published, in words. */
export function listChanges(
  edits: StudioEdits,
  services: readonly ServiceInUse[],
  before: Family[],
  now: Family[],
): Listed[] {
  const isRead = before.length > 0 && now.length > 0;
  const inForm = [
    ...(isRead ? changesBetween(before, now, edits.publishedText(families)) : []),
    ...typeChanges(edits.publishedText(fileTypesFile), edits.text(fileTypesFile)),
  ];
  const fileOf = ({ id }: Change) => (id === fileTypesId ? fileTypesFile : families);
  const listed = inForm.map((change) => ({
    ...change,
    concerned: sayConcerned(change, services),
    undo: () => takeAway(edits, change.isNew ? change.id : null, change.undo, fileOf(change)),
  }));
  const others = edits.changed.filter((file) => inForm.every((change) => fileOf(change) !== file));
  return [...listed, ...others.map((file) => fileChange(edits, file, isRead ? now : before))];
}

/** Changes the text, and takes the pictures of a family or service with it. False if that cannot be done. */
export function takeAway(
  { text: textOf, edit, newest, edits }: StudioEdits,
  id: string | null,
  change = (text: string) => (id === null ? text : withoutService(text, id)),
  file = families,
): boolean {
  const text = change(textOf(file));
  if (text === null) return false;
  const stems = id === null ? [] : [`pictures/${id}.`, `pictures/${id}/`];
  const pictures = filesOf(newest.documents, edits).filter((name) => stems.some((stem) => name.startsWith(stem)));
  edit([file, { text }], ...pictures.map((name): [string, 'removed'] => [name, 'removed']));
  return true;
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
        <VisuallyHidden>from </VisuallyHidden>
        <del className="third">{was}</del>
        <VisuallyHidden> to</VisuallyHidden> {now}
      </>
    )}
  </>
);

/** What a publication changes, before its lines. */
export function InWords({ edits, services }: { edits: StudioEdits; services: readonly ServiceInUse[] }) {
  const before = familiesIn(edits.publishedText(families)) ?? [];
  const now = familiesIn(edits.text(families)) ?? [];
  return (
    <dl
      className="facts"
      style={{ gridTemplateColumns: 'fit-content(40%) 1fr', textAlign: 'left' }}
      aria-label="In words"
    >
      {listChanges(edits, services, before, now).map((change, index) => (
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
