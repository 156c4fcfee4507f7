import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconRotate } from '../../ui/look/icons.ts';
import { useRef, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { type Job as JobData, type JobEvent, type ListMessagesResponse, operationQuery } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useOrders, useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { JobStatus } from '../../ui/job/status.tsx';
import { Rejection } from '../../ui/job/rejection.tsx';
import { counted } from '../../ui/job/words.ts';
import { ColumnsSkeleton } from '../../ui/list/skeletons.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { usePageTools } from '../../ui/page/page-tools.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { Composer } from '../../ui/thread/composer.tsx';
import { emptyDraft, joined, type MessageDraft } from '../../ui/thread/message-draft.ts';
import { firstUnread, type StoryEntry } from '../../ui/thread/story.ts';
import { StoryPanel } from '../../ui/thread/story-panel.tsx';
import { whyNoMessage } from '../../ui/thread/why-no-message.ts';
import { type CommentCounts, countComments } from './comment-counts.ts';
import { Brief, BriefSummary, ownFiles } from './job-brief.tsx';
import { Deliveries } from './job-deliveries.tsx';
import { JobBrand } from './job-brand.tsx';
import { JobFacts, WhoFollows } from './job-facts.tsx';
import { Fold } from './job-fold.tsx';
import { WhoLooks } from './job-lookers.tsx';
import { JobMoves } from './job-moves.tsx';
import { Questions } from './job-question.tsx';
import { storyOf } from './job-story.ts';
import { type JobThread, useJobThread } from './job-thread.ts';
import { JobWay } from './job-way.tsx';
import { pageReads } from '../reads.ts';
import { titleInLists, useLiveJob, useSeen } from './live-job.ts';

const UnsentChanges = part(() => import('./unsent-changes.tsx'), 'UnsentChanges');
const ReviewMode = part(() => import('../review/review-mode.tsx'), 'ReviewMode');

export function Job() {
  const reads = useReads(pageReads.job);
  const job = useLiveJob(reads.job);
  const thread = useRead(reads.thread, { refetchInterval: 30_000 });
  const error = job.error ?? thread.error;
  const data = job.data && thread.data ? { ...job.data, thread: thread.data } : undefined;
  return (
    <Loaded
      query={{ data, error, refetch: () => void Promise.all([job.refetch(), thread.refetch()]) }}
      skeleton={<ColumnsSkeleton left={[280, 50, 340]} right={[186, 226, 200]} />}
      head={
        <PageHead
          title={titleInLists(reads.job.input.path?.id ?? '') ?? 'Job'}
          documentTitle="Job"
          above={<Link to={customerPages.jobs}>Jobs</Link>}
        />
      }
    >
      {(loaded) => <JobPage key={loaded.job.id} {...loaded} />}
    </Loaded>
  );
}

const loadTools = async () => (await import('./job-tools.ts')).jobTools;

type PageProps = { job: JobData; events: JobEvent[]; thread: ListMessagesResponse };

function JobPage({ job, events, thread: { messages: newestFirst, read_message_id, following, followers } }: PageProps) {
  const { user, view } = useSession();
  const [{ review }] = useAddress<'review'>();
  const orders = useOrders();
  const thread = useJobThread(job);
  usePageTools(loadTools, job.id);
  useSeen(job.id);
  const phone = usePhone();
  const draft = useDraft(`message-${job.id}`, emptyDraft);
  const [readId] = useState(read_message_id);
  const messages = newestFirst.toReversed();
  const comments = useJobComments(job);
  const entries = storyOf(job, events, messages, user.id, comments.sentFor);
  const files = ownFiles(job, new Set(messages.flatMap(({ file_ids }) => file_ids)));
  const yours = job.status === 'ready_for_customer_review' || job.status === 'completed';
  const delivered = job.deliveries.length > 0;
  // Nobody knows what happened to an imported job on its way.
  const way = !yours && !job.imported_at;
  const brief = (when: 'phone' | 'always') => (
    <Fold title="Brief" summary={<BriefSummary job={job} files={files} />} when={when}>
      <Brief job={job} files={files} />
    </Fold>
  );
  return (
    <>
      {review !== undefined && delivered && <ReviewMode job={job} />}
      <Head job={job} />
      {way && !phone && <JobWay job={job} events={events} />}
      <div className="columns">
        <div className="stack job-main">
          {job.reason && <Rejection {...job.reason} />}
          <UnsentChanges job={job} />
          <Questions
            job={job}
            messages={messages}
            thread={thread}
            onOffer={(answer) => draft[1]((now) => joined(now, answer))}
            onAnswered={() => document.getElementById(entries.at(-1)?.id ?? '')?.focus()}
          />
          {way && phone && <JobWay job={job} events={events} />}
          <Deliveries job={job} comments={comments} />
          {!delivered && brief('phone')}
          <Fold title="Story" summary={storySummary(entries, readId)} when="phone">
            <JobTalk job={job} entries={entries} readId={readId} thread={thread} draft={draft} />
          </Fold>
          {delivered && brief('always')}
        </div>
        <aside className="stack job-beside">
          <JobMoves job={job} events={events} unsent={comments.unsent} />
          {yours && orders && !job.imported_at && (
            <Fold title="Who looks" summary={lookersSummary(comments)} when="phone">
              <WhoLooks job={job} comments={comments} />
            </Fold>
          )}
          <Fold title="Facts" summary={factsSummary(job)} when="phone">
            <JobFacts job={job} />
            <JobBrand job={job.id} />
            {!view && !job.imported_at && <WhoFollows job={job} following={following} followers={followers} />}
          </Fold>
        </aside>
      </div>
    </>
  );
}

function useJobComments(job: JobData): CommentCounts {
  const { data } = useQuery({
    ...operationQuery('listComments', { path: { id: job.id } }),
    enabled: job.deliveries.length > 0,
  });
  return countComments(data?.comments ?? [], job.deliveries.at(-1)?.round ?? 0);
}

/** "2 messages, 4 events", or what is new, for the row of a folded story. */
function storySummary(entries: StoryEntry[], readId: string | null): string {
  const from = entries.findIndex(({ id }) => id === firstUnread(entries, readId));
  const isWords = ({ kind }: StoryEntry) => kind === 'message';
  if (from !== -1) return `${entries.slice(from).filter(isWords).length} new`;
  const messages = entries.filter(isWords).length;
  const events = counted(entries.length - messages, 'event');
  return messages === 0 ? events : `${counted(messages, 'message')}, ${events}`;
}

function lookersSummary({ authors }: CommentCounts): string {
  const guests = authors.filter(({ isGuest }) => isGuest).length;
  return guests === 0 ? 'links for guests' : counted(guests, 'guest');
}

const factsSummary = ({ revisions: { included } }: JobData) =>
  included === 0 ? '1 job' : `1 job · ${counted(included, 'round')}`;

function Head({ job }: { job: JobData }) {
  const orders = useOrders();
  const { service, isRetired } = useServiceNames();
  return (
    <div className="job-head">
      <PageHead
        title={job.customer_title}
        above={
          <>
            <Link to={customerPages.jobs}>Jobs</Link> / {service(job.service_family, job.service_type)}
          </>
        }
        beside={
          <>
            <span role="status">
              <JobStatus job={job} />
            </span>
            {orders && isRetired(job.service_family, job.service_type) ? (
              <span className="push small second">The studio no longer offers this service.</span>
            ) : (
              orders && (
                <Button
                  component={Link}
                  to={pathTo(customerPages.newJob, {}, { from: job.id })}
                  variant="subtle"
                  className="push"
                  leftSection={<IconRotate size={16} />}
                >
                  Order again
                </Button>
              )
            )}
          </>
        }
        below={<Identifier id={job.id} />}
      />
    </div>
  );
}

type TalkProps = {
  job: JobData;
  entries: StoryEntry[];
  /** The last message that the reader had read when the page was opened. */
  readId: string | null;
  thread: JobThread;
  draft: ReturnType<typeof useDraft<MessageDraft>>;
};

/** The story of a job, and the field that writes to the studio. */
function JobTalk({ job, entries, readId, thread, draft }: TalkProps) {
  const panel = useRef<HTMLElement>(null);
  const [newFrom] = useState(() => firstUnread(entries, readId));
  const readOnly = useReadOnlyReason();
  const { view } = useSession();
  const waits = job.waiting_on !== null;
  return (
    <StoryPanel
      ref={panel}
      about="what happened and was said"
      entries={entries}
      newFrom={newFrom}
      onTakeBack={thread.takeBack}
      onSeen={view ? undefined : thread.markRead}
    >
      {!view && (
        <Composer
          over={panel}
          label="Message to the studio"
          placeholder={waits ? 'Write to the studio. What you send answers the question, too.' : 'Write to the studio'}
          hint="The studio and your colleagues read this. Drop or paste pictures."
          draft={draft}
          ways={[{ label: 'Send', send: thread.send }]}
          focusKey="m"
          reason={readOnly ?? whyNoMessage(job, Date.now())}
          primary={job.status !== 'ready_for_customer_review' && !waits}
          {...thread.files}
        />
      )}
    </StoryPanel>
  );
}
