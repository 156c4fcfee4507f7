import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Time } from '../../ui/time/time.tsx';
import type { StudioEdits } from './use-edits.ts';

/** Somebody has published since the edits began. Nothing is lost, and nothing is published unseen. */
export function Outdated({ edits: { newest, goOn } }: { edits: StudioEdits }) {
  const { number, created_by: author, created_at: at } = newest;
  return (
    <div className="note turn stack-small" role="status">
      <span>
        <strong>
          {author ? author.name : 'A start of the service'} published version {number}
        </strong>{' '}
        <Time at={at} />, after you began. Your changes are kept. What you publish takes the place of that version, so
        look at the difference first.
      </span>
      <span className="row">
        <Button
          component={Link}
          to={pathTo(deskPages.studio, {}, { part: 'versions', version: String(number) })}
          variant="default"
          size="xs"
          h={28}
        >
          What version {number} changed
        </Button>
        <Button variant="default" size="xs" h={28} onClick={goOn}>
          Go on from version {number}
        </Button>
      </span>
    </div>
  );
}
