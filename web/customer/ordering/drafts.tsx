import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import type { IntakeListItem } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { usePages } from '../../app/use-reads.ts';
import { pathTo } from '../../ui/page/address.ts';
import { creatorWords } from '../../ui/job/words.ts';
import { ListFoot } from '../../ui/list/list.tsx';
import { Time } from '../../ui/time/time.tsx';
import { DeleteDraft } from './draft/delete-draft.tsx';
import { draftsRead } from './new-job.reads.ts';
import { templatesRead } from './templates.reads.ts';

/** The open drafts of the account, nothing while they cannot be read. `except`: the draft that is shown. */
export function Drafts({ except = null }: { except?: string | null }) {
  const { data, more, loadingMore } = usePages(draftsRead);
  const { service } = useServiceNames();
  const { user } = useSession();
  const shown = (data ?? []).filter(({ id }) => id !== except);
  if (shown.length === 0) return null;
  const rowOf = (draft: IntakeListItem) => {
    const { id, created_at, created_by } = draft;
    const serviceName = service(draft.service_family, draft.service_type);
    const title = titleOf(draft, serviceName);
    return (
      <DraftRow key={id} to={pathTo(customerPages.newJob, {}, { draft: id })} title={title}>
        <span className="second small">
          {serviceName} · begun <Time at={created_at} /> by{' '}
          <bdi>{created_by.id === user.id ? 'you' : creatorWords(draft)}</bdi>
        </span>
        <DeleteDraft id={id} title={title} small />
      </DraftRow>
    );
  };
  return (
    <Section label="Drafts">
      <ul>{shown.map(rowOf)}</ul>
      {more && <ListFoot shown={`${shown.length} shown`} more={more} loading={loadingMore} />}
    </Section>
  );
}

/** The four newest templates, each a link that starts a draft. Nothing without one. */
export function TemplateLinks() {
  const { data } = usePages(templatesRead);
  const { service } = useServiceNames();
  if (!data?.length) return null;
  return (
    <Section label="Templates">
      <ul>
        {data.slice(0, 4).map(({ id, name, service_family: family, service_type: type }) => (
          <DraftRow key={id} to={pathTo(customerPages.newJob, {}, { template: id })} title={name}>
            <span className="second small">{service(family, type)}</span>
          </DraftRow>
        ))}
      </ul>
      <Box component="p" className="small" mt={8}>
        <Link to={customerPages.templates}>All templates</Link>
      </Box>
    </Section>
  );
}

const Section = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box component="section" aria-label={label} mb={24}>
    <h2 className="section-title">{label}</h2>
    {children}
  </Box>
);

const line = { gap: '2px 16px', borderBottom: '1px solid var(--line)' };

const DraftRow = ({ to, title, children }: { to: string; title: string; children: ReactNode }) => (
  <Box className="row" component="li" mih={44} py={6} style={line}>
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
