import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import type { IntakeListItem } from '../../app/api.ts';
import type { ListRead } from '../../app/reads.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { pathTo } from '../../ui/page/address.ts';
import { creatorWords } from '../../ui/job/words.ts';
import { ListFoot } from '../../ui/list/list.tsx';
import { Time } from '../../ui/time/time.tsx';
import { DeleteDraft } from './draft/delete-draft.tsx';

/** The open drafts of the account. Nothing without one, or while they cannot be read. */
export function Drafts({ read }: { read: ListRead<'listIntake'> }) {
  const drafts = usePages(read);
  const { service, familyName } = useServiceNames();
  const { user } = useSession();
  if (!drafts.data || drafts.data.length === 0) return null;
  const serviceOf = ({ service_family: family, service_type: type }: IntakeListItem) =>
    type ? service(family, type) : familyName(family);
  return (
    <Box component="section" aria-label="Drafts" mb={24}>
      <h2 className="section-title">Drafts</h2>
      <ul>
        {drafts.data.map((draft) => (
          <DraftRow
            key={draft.id}
            to={pathTo(customerPages.newJob, {}, { draft: draft.id })}
            title={titleOf(draft, serviceOf(draft))}
          >
            <span className="second small">
              {serviceOf(draft)} · begun <Time at={draft.created_at} /> by <bdi>{starterOf(draft, user.id)}</bdi>
            </span>
            <DeleteDraft id={draft.id} title={titleOf(draft, serviceOf(draft))} small />
          </DraftRow>
        ))}
      </ul>
      {drafts.more && (
        <ListFoot shown={`${drafts.data.length} shown`} more={drafts.more} loading={drafts.loadingMore} />
      )}
    </Box>
  );
}

const starterOf = (draft: IntakeListItem, userId: string): string =>
  draft.created_by.id === userId ? 'you' : creatorWords(draft);

type RowProps = { to: string; title: string; children: ReactNode };

/** What one can go on from. */
export const DraftRow = ({ to, title, children }: RowProps) => (
  <Box
    className="row"
    component="li"
    mih={44}
    py={6}
    style={{ gap: '2px 16px', borderBottom: '1px solid var(--line)' }}
  >
    <Box component={Link} to={to} className="ink breaks" fw={500}>
      {title}
    </Box>
    {children}
  </Box>
);

/** Letters of the words that stand for a draft without a name. */
const mostLetters = 60;

function titleOf(
  { customer_title: title, intent_brief: brief, answers: [first], words }: IntakeListItem,
  service: string,
) {
  const named = title ?? brief?.customer_title ?? (first ? `${service}: ${first.answer}` : words.trim());
  return named === '' ? service : named.length > mostLetters ? `${named.slice(0, mostLetters)}…` : named;
}
