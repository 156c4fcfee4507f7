import { ActionIcon, Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconX } from '../../ui/look/icons.ts';
import { deskPages } from '../../../contract/pages.ts';
import { type DeskJob, operationQuery } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { Copy } from '../../ui/page/code.tsx';
import { Facts, Loaded } from '../../ui/page/page.tsx';
import { FileCard } from '../../ui/preview/preview.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { isOpenQuestion } from '../../app/message-entry.ts';
import { KeyHint } from '../../ui/shell/shortcuts.tsx';
import { Status } from '../../ui/job/status.tsx';
import { sayDay, Time } from '../../ui/time/time.tsx';
import { readBrief } from '../../../contract/jobs/instructions.ts';
import { dueFacts, orderFacts } from './due.tsx';
import { useAccept } from '../job/use-moves.ts';
import { ParkedNote } from '../job/parked-note.tsx';
import { Holder } from '../job/person.tsx';
import { sayLeft } from '../job/clock-words.ts';
import { deskFileUrl } from '../job/send-deliverable.ts';
import { StandingLine } from '../standing.tsx';

type Props = {
  id: string | undefined;
  /** Off while its key is for the selected rows. */
  acceptKey: boolean;
  onClose: () => void;
};

export function Peek({ id, acceptKey, onClose }: Props) {
  const query = useQuery({ ...operationQuery('readDeskJob', { path: { id: id ?? '' } }), enabled: id !== undefined });
  return (
    <aside className="peek lined" aria-label="Selected job">
      {id !== undefined && (
        <Loaded query={query} height={400}>
          {({ job }) => <PeekJob job={job} acceptKey={acceptKey} onClose={onClose} />}
        </Loaded>
      )}
    </aside>
  );
}

function PeekJob({ job, acceptKey, onClose }: Omit<Props, 'id'> & { job: DeskJob }) {
  const { accept, pending } = useAccept();
  const { service } = useServiceNames();
  const queued = job.status === 'queued';
  return (
    <>
      <div className="stack-small peek-part">
        <Group gap={8} wrap="nowrap">
          <Status status={job.status} side="desk" importedAt={job.imported_at} />
          <span className="mono small third one-line">{job.id}</span>
          <Copy text={job.id} label="Copy the id" />
          <ActionIcon className="push" onClick={onClose} aria-label="Close the selected job">
            <IconX size={16} />
          </ActionIcon>
        </Group>
        <Box component="h2" className="breaks" fz={16} fw={600} lh={1.35}>
          {job.customer_title}
        </Box>
        <AccountLine job={job} />
        <StandingLine job={job} />
        <Group gap={8} wrap="nowrap">
          {queued && (
            <Button
              onClick={() => accept(job.id)}
              loading={pending}
              rightSection={acceptKey && <KeyHint>a</KeyHint>}
              flex={1}
            >
              Accept
            </Button>
          )}
          <Button
            component={Link}
            to={pathTo(deskPages.job, { id: job.id })}
            variant={queued ? 'default' : 'filled'}
            rightSection={<KeyHint>o</KeyHint>}
            flex={1}
          >
            Open
          </Button>
        </Group>
      </div>
      {job.parked && (
        <div className="peek-part">
          <ParkedNote />
        </div>
      )}
      <div className="stack-small peek-part">
        <Facts
          facts={[
            ['Service', service(job.service_family, job.service_type)],
            ...dueFacts(job),
            ['Holder', job.holder && <Holder key="holder" job={job} />],
            ['Changes', `${job.revisions.used} of ${job.revisions.included} rounds used`],
            ...orderFacts(job),
          ]}
        />
      </div>
      {job.waiting_on && <PeekQuestion job={job} />}
      <PeekBrief job={job} />
      <PeekFiles job={job} />
      <Earlier job={job} />
    </>
  );
}

function AccountLine({ job }: { job: DeskJob }) {
  const account = useQuery({
    ...operationQuery('readAccount', { path: { id: job.account?.id ?? '' } }),
    enabled: job.account !== null,
  });
  if (!job.account) return null;
  const jobs = account.data?.account.jobs;
  return (
    <p className="second">
      <Link to={pathTo(deskPages.account, { id: job.account.id })}>{job.account.name}</Link>
      {!job.imported_at && (
        <>
          {' '}
          · <span className="capital">{job.plan_code}</span> plan
        </>
      )}
      {jobs ? ` · ${jobs === 1 ? 'the first job' : `${jobs} jobs so far`}` : ''}
    </p>
  );
}

/** What the customer is asked, since when, and what is left on the clock. */
function PeekQuestion({ job }: { job: DeskJob }) {
  const thread = useQuery(operationQuery('listDeskMessages', { path: { id: job.id } }));
  const questions = (thread.data?.messages ?? []).filter(isOpenQuestion).toReversed();
  return (
    <div className="stack-small peek-part">
      <h3 className="turn">Asked the customer</h3>
      {questions.map(({ id, text, author, created_at: at }) => (
        <div key={id} className="note turn">
          <Text inherit lineClamp={12} className="prose">
            “{text}”
          </Text>
          <span className="small">
            {author.name}, <Time at={at} as="moment" />
          </span>
        </div>
      ))}
      {job.remaining_seconds !== null && <p className="second small">{sayLeft(job.remaining_seconds * 1_000)}</p>}
    </div>
  );
}

function PeekBrief({ job }: { job: DeskJob }) {
  const { requirements } = useServiceNames();
  const newest = job.revision_requests.at(-1);
  const { answers, words } = readBrief(requirements(job.service_family), job);
  return (
    <div className="stack-small peek-part">
      <h3>Brief</h3>
      {newest && <div className="note turn prose">“{newest.customer_instructions}”</div>}
      <Facts facts={Object.entries(answers)} />
      {words && (
        <Text inherit lineClamp={12} className="prose">
          {words}
        </Text>
      )}
    </div>
  );
}

function PeekFiles({ job }: { job: DeskJob }) {
  const own = job.files.filter(({ uploaded_by: by }) => by === 'customer');
  if (own.length === 0) return null;
  return (
    <div className="stack-small peek-part">
      <h3 className="row between">
        Files
        <span className="second numbers">
          {own.length} · {sayBytes(own.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0))}
        </span>
      </h3>
      <Box display="grid" style={{ gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: 8 }}>
        {own.slice(0, 6).map((file) => (
          <FileCard key={file.id} file={file} url={deskFileUrl(file.id)} />
        ))}
      </Box>
    </div>
  );
}

function Earlier({ job }: { job: DeskJob }) {
  const query = { account_id: job.account?.id ?? '', sort: 'newest' as const, limit: 5 };
  const { data } = useQuery({ ...operationQuery('listQueue', { query }), enabled: job.account !== null });
  const others = data?.jobs.filter(({ id }) => id !== job.id).slice(0, 4) ?? [];
  if (others.length === 0) return null;
  return (
    <div className="stack-small peek-part">
      <h3>Other jobs of {job.account?.name}</h3>
      <Box component="ul" className="stack-small" fz={13} style={{ gap: 6 }}>
        {others.map((other) => (
          <li key={other.id}>
            <Group gap={10} wrap="nowrap">
              <Link to={pathTo(deskPages.job, { id: other.id })} className="one-line ink" style={{ flex: 1 }}>
                {other.customer_title}
              </Link>
              <Status status={other.status} side="desk" />
              <Box w={56} flex="none" ta="right" className="third numbers">
                {sayDay(other.created_at)}
              </Box>
            </Group>
          </li>
        ))}
      </Box>
    </div>
  );
}
