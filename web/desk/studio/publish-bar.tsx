import { Box, Button } from '@mantine/core';
import { useState } from 'react';
import { accentFault } from '../../../contract/studio/accent.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { sayFailure } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { isColor } from './accent-field.tsx';
import { changedFields } from './face-fields.ts';
import { type Naming, Problems } from './problems.tsx';
import type { Spot } from './spot.ts';
import { textAt } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

const PublishDialog = part(() => import('./publish-dialog.tsx'), 'PublishDialog');

type Props = { edits: StudioEdits; goTo: (spot: Spot) => void; say?: string; naming?: Naming };

/**
 * What is not published yet, what is wrong with it, and the way to publish or discard it. Absent for
 * those who only read.
 */
export function PublishBar({ edits, goTo, say, naming }: Props) {
  const [open, setOpen] = useState(false);
  const { changed, readOnly, check } = edits;
  const problems = changed.length > 0 ? (check.result?.problems ?? []) : [];
  if (readOnly !== null) return null;
  const nothing = changed.length === 0 ? 'Nothing has changed.' : null;
  return (
    <footer className="row publish-bar">
      {problems.length > 0 && (
        <Box flex="1 1 100%" miw={0}>
          <Problems problems={problems} goTo={goTo} naming={naming} />
        </Box>
      )}
      <Box className="small" flex="1 1 240px" miw={0} role="status">
        {changed.length > 0 ? (
          <strong className="turn">{say ?? sayChanged(edits)} not published.</strong>
        ) : (
          'All is published.'
        )}{' '}
        <span className="second">{sayCheck(edits)}</span>{' '}
        {changed.length > 0 && check.error && !check.isPending && (
          <Button variant="subtle" size="compact-sm" onClick={check.again}>
            Check again
          </Button>
        )}
      </Box>
      <span className="row push">
        <ActionButton variant="subtle" reason={nothing} onClick={edits.discard}>
          Discard
        </ActionButton>
        <ActionButton keys="mod+s" reason={nothing ?? whyNot(edits)} onClick={() => setOpen(true)}>
          Publish…
        </ActionButton>
      </span>
      {open && changed.length > 0 && (
        <PublishDialog edits={edits} goTo={goTo} naming={naming} onClose={() => setOpen(false)} />
      )}
    </footer>
  );
}

function sayCheck({ changed, check }: StudioEdits): string {
  if (changed.length === 0) return 'Customers see changes within a second, mails from the next on.';
  if (check.isPending) return 'Checking…';
  if (check.error) return `It could not be checked. ${sayFailure(check.error).title}.`;
  return check.result?.problems.length === 0 ? 'No problems.' : '';
}

/** "Accent, Links and plans.yaml". */
function sayChanged({ changed, text, publishedText }: StudioEdits): string {
  const fields = changedFields(publishedText('studio.yaml'), text('studio.yaml'));
  const names = [...fields, ...changed.filter((file) => file !== 'studio.yaml' && !isMarkOf(file))];
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return new Intl.ListFormat('en').format(shown.length > 0 ? shown : ['Marks']);
}

/** Pictures beside `studio.yaml` are the marks. */
const isMarkOf = (file: string) => !file.includes('/') && !file.endsWith('.yaml');

function whyNot({ text }: StudioEdits): string | null {
  const accent = textAt(text('studio.yaml'), 'accent');
  return accent && isColor(accent) && accentFault(accent) ? 'The accent has too little contrast.' : null;
}
