import { Box, Flex } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { useRead } from '../../app/use-reads.ts';
import { sayKit } from '../../ui/job/words.ts';
import { leftOut } from './draft/edits.ts';
import type { OrderDraft } from './draft/use-order-draft.ts';
import { kitRead } from './new-job.reads.ts';

/** What goes along of the brand kit, and a way to leave it out. Nothing without a kit. */
export function KitLine({ draft }: { draft?: OrderDraft }) {
  const kit = useRead(kitRead).data?.brand;
  if (!kit || kit.facts.length + kit.files.length === 0) return null;
  const isOut = draft?.value('kit') === leftOut;
  return (
    <Box component="p" className="row small" style={{ gap: '2px 8px' }}>
      <Colours text={kit.facts.map(({ text }) => text).join(' ')} />
      <span>
        {isOut ? 'Without your ' : <span className={draft ? '' : 'wide-only'}>Your </span>}
        <Link to={customerPages.brand} className="ink">
          brand kit
        </Link>
        {!isOut && ' goes along'}
        {!isOut && <span className={draft ? '' : 'wide-only'}>: {sayKit(kit)}</span>}
      </span>
      {draft && (
        <button type="button" className="link-button" onClick={() => draft.setText('kit', isOut ? '' : leftOut)}>
          {isOut ? 'Take it along' : 'Leave it out'}
        </button>
      )}
    </Box>
  );
}

/** The first two colours that the kit names. */
function Colours({ text }: { text: string }) {
  const colours = text.match(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/giu) ?? [];
  return (
    colours.length > 0 && (
      <Flex component="span" pr={4} aria-hidden>
        {colours.slice(0, 2).map((colour) => (
          <Box key={colour} component="i" w={13} h={13} mr={-4} bd="1px solid var(--line)" bdrs="50%" bg={colour} />
        ))}
      </Flex>
    )
  );
}
