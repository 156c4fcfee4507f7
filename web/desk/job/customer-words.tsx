import { IconRotate } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { isEnded } from '../../../contract/moves.ts';
import { deskPages } from '../../../contract/pages.ts';
import type { DeskJob } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { readInstructions } from '../../ui/job/instructions.ts';
import { FileCard } from '../../ui/preview/preview.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { Time } from '../../ui/time/time.tsx';
import { deskFileUrl } from './send-deliverable.ts';

export function CustomerWords({ job }: { job: DeskJob }) {
  const { requirements } = useServiceNames();
  const { answers, words } = readInstructions(requirements(job.service_family), job.customer_instructions);
  const [newest, ...earlier] = job.revision_requests.toReversed();
  return (
    <Panel
      title="Customer’s words"
      beside={
        job.account && (
          <Link className="second" to={pathTo(deskPages.account, { id: job.account.id })}>
            {job.account.name}
          </Link>
        )
      }
      flush
    >
      <div className="panel-body stack">
        {newest && <Ask request={newest} job={job} />}
        {Object.keys(answers).length > 0 && (
          <dl className="answers-two">
            {Object.entries(answers).map(([label, answer]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{answer}</dd>
              </div>
            ))}
          </dl>
        )}
        {words && <p className="prose">{words}</p>}
        {earlier.length > 0 && (
          <details>
            <summary className="second small">Earlier requests for changes ({earlier.length})</summary>
            <div className="stack-small" style={{ marginTop: 8 }}>
              {earlier.map((request) => (
                <p key={request.round} className="prose quote">
                  <span className="second small">Round {request.round}, </span>
                  <Time at={request.created_at} as="moment" />
                  {'\n'}
                  {request.customer_instructions}
                </p>
              ))}
            </div>
          </details>
        )}
      </div>
      <SourceFiles job={job} />
    </Panel>
  );
}

type AskProps = { request: DeskJob['revision_requests'][number]; job: DeskJob };

function Ask({ request: { round, customer_instructions: words, created_at: at }, job }: AskProps) {
  const answered = isEnded(job.status) || job.status === 'ready_for_customer_review';
  return (
    <div className={answered ? 'ask answered' : 'ask'}>
      <div className="ask-head">
        <IconRotate size={15} aria-hidden /> {answered ? 'Asked' : 'Asks'} for changes, round {round} of{' '}
        {job.revisions.included}
        <span className="push second nowrap">
          <Time at={at} as="moment" />
        </span>
      </div>
      <p className="prose">“{words}”</p>
    </div>
  );
}

function SourceFiles({ job }: { job: DeskJob }) {
  const own = job.files.filter(({ uploaded_by: by }) => by === 'customer');
  if (own.length === 0) return null;
  return (
    <div className="panel-body" style={{ borderTop: '1px solid var(--line)' }}>
      <div className="small-files">
        {own.map((file) => (
          <FileCard key={file.id} file={file} url={deskFileUrl(file.id)} />
        ))}
      </div>
    </div>
  );
}
