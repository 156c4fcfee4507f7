import { Link } from '@tanstack/react-router';
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
import './drafts.css';

/** The open drafts of the account. Nothing without one, or while they cannot be read. */
export function Drafts({ read }: { read: ListRead<'listIntake'> }) {
  const drafts = usePages(read);
  const { service, familyName } = useServiceNames();
  const { user } = useSession();
  if (!drafts.data || drafts.data.length === 0) return null;
  const serviceOf = ({ service_family: family, service_type: type }: IntakeListItem) =>
    type ? service(family, type) : familyName(family);
  return (
    <section aria-label="Drafts" className="drafts">
      <h2 className="section-title">Drafts</h2>
      <ul>
        {drafts.data.map((draft) => (
          <li key={draft.id}>
            <Link to={pathTo(customerPages.newJob, {}, { draft: draft.id })} className="ink">
              {titleOf(draft, serviceOf(draft))}
            </Link>
            <span className="second small">
              {serviceOf(draft)} · begun <Time at={draft.created_at} /> by <bdi>{starterOf(draft, user.id)}</bdi>
            </span>
            <DeleteDraft id={draft.id} title={titleOf(draft, serviceOf(draft))} small />
          </li>
        ))}
      </ul>
      {drafts.more && (
        <ListFoot shown={`${drafts.data.length} shown`} more={drafts.more} loading={drafts.loadingMore} />
      )}
    </section>
  );
}

const starterOf = (draft: IntakeListItem, userId: string): string =>
  draft.created_by.id === userId ? 'you' : creatorWords(draft);

/** Letters of the words that stand for a draft without a name. */
const mostLetters = 60;

function titleOf(
  { customer_title: title, intent_brief: brief, answers: [first], words }: IntakeListItem,
  service: string,
) {
  const named = title ?? brief?.customer_title ?? (first ? `${service}: ${first.answer}` : words.trim());
  return named === '' ? service : named.length > mostLetters ? `${named.slice(0, mostLetters)}…` : named;
}
