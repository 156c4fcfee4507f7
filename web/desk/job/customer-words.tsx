import { Box, Group, Text, UnstyledButton } from '@mantine/core';
import { IconRotate } from '../../ui/look/icons.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { isEnded } from '../../../contract/moves.ts';
import { deskPages } from '../../../contract/pages.ts';
import type { DeskJob } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { readBrief } from '../../../contract/jobs/instructions.ts';
import { Answers } from '../../ui/job/answers.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Panel } from '../../ui/page/page.tsx';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { saveFrom } from '../../ui/review/view-file.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { Time } from '../../ui/time/time.tsx';
import { deskArchiveUrl } from './send-deliverable.ts';
import { SmallFiles } from './delivery.tsx';

const verbatimSetting = 'atelier-words-as-written';

/** `asks`: whether the newest request for changes stands here, because it has no comments. */
export function CustomerWords({ job, asks }: { job: DeskJob; asks: boolean }) {
  const { requirements } = useServiceNames();
  const { answers, words, open } = readBrief(requirements(job.service_family), job);
  const [verbatim, setVerbatim] = useState(() => localStorage.getItem(verbatimSetting) === 'on');
  const [newest, ...earlier] = job.revision_requests.toReversed();
  const choose = (next: boolean) => {
    localStorage.setItem(verbatimSetting, next ? 'on' : 'off');
    setVerbatim(next);
  };
  const hasAnswers = Object.keys(answers).length + open.length > 0;
  useShortcut('w', 'Show the words by question or as written', hasAnswers ? () => choose(!verbatim) : null);
  return (
    <Panel
      title="Customer’s words"
      beside={
        <>
          {job.account && <AccountLink className="second" account={job.account} />}
          {hasAnswers && <WordsSwitch verbatim={verbatim} onChoose={choose} />}
        </>
      }
      flush
    >
      <div className="panel-body stack">
        {newest && asks && <Ask request={newest} job={job} />}
        {verbatim || !hasAnswers ? (
          <Folded>{job.customer_instructions}</Folded>
        ) : (
          <>
            <Answers answers={Object.entries(answers)} open={open} left="not answered" as={FoldedAnswer} />
            {words && <Folded>{words}</Folded>}
          </>
        )}
        <EarlierRequests requests={earlier} />
      </div>
      <SourceFiles job={job} />
    </Panel>
  );
}

type LinkProps = { account: NonNullable<DeskJob['account']>; className?: string };

export const AccountLink = ({ account: { id, name }, ...link }: LinkProps) => (
  <Link {...link} to={pathTo(deskPages.account, { id })}>
    {name}
  </Link>
);

const WordsSwitch = ({ verbatim, onChoose }: { verbatim: boolean; onChoose: (verbatim: boolean) => void }) => (
  <span className="push switch" role="group" aria-label="How the words are shown">
    <UnstyledButton aria-pressed={!verbatim} onClick={() => onChoose(false)}>
      By question
    </UnstyledButton>
    <UnstyledButton aria-pressed={verbatim} onClick={() => onChoose(true)}>
      As written <KeyHint>w</KeyHint>
    </UnstyledButton>
  </span>
);

const EarlierRequests = ({ requests }: { requests: DeskJob['revision_requests'] }) =>
  requests.length === 0 ? null : (
    <details>
      <summary className="second small">Earlier requests for changes ({requests.length})</summary>
      <div className="stack-small" style={{ marginTop: 8 }}>
        {requests.map((request) => (
          <p key={request.round} className="prose quote">
            <span className="second small">Round {request.round}, </span>
            <Time at={request.created_at} as="moment" />
            {'\n'}
            {request.customer_instructions}
          </p>
        ))}
      </div>
    </details>
  );

function Ask({ request, job }: { request: DeskJob['revision_requests'][number]; job: DeskJob }) {
  const answered = isEnded(job.status) || job.status === 'ready_for_customer_review';
  const [ground, ink] = answered ? ['var(--sunken)', 'var(--second)'] : ['var(--turn-soft)', 'var(--turn)'];
  return (
    <Box p="12px 14px" bdrs={7} bg={ground} c={answered ? ink : undefined}>
      <Group gap="0 8px" mb={4} fz={13} fw={500} c={ink}>
        <IconRotate size={15} aria-hidden /> {answered ? 'Asked' : 'Asks'} for changes, round {request.round} of{' '}
        {job.revisions.included}
        <span className="push second nowrap">
          <Time at={request.created_at} as="moment" />
        </span>
      </Group>
      <p className="prose">“{request.customer_instructions}”</p>
    </Box>
  );
}

function SourceFiles({ job }: { job: DeskJob }) {
  const own = job.files.filter(({ uploaded_by: by }) => by === 'customer');
  const saved = own.filter(({ status }) => status === 'uploaded');
  if (own.length === 0) return null;
  return (
    <div className="panel-body stack-small" style={{ borderTop: '1px solid var(--line)' }}>
      {saved.length > 1 && (
        <div className="row between small second">
          <span>
            {saved.length} files, {sayBytes(saved.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0))}
          </span>
          <ActionButton keys="D" variant="default" size="compact-sm" onClick={() => saveFrom(deskArchiveUrl(job.id))}>
            Whole job, .zip
          </ActionButton>
        </div>
      )}
      <SmallFiles files={own} />
    </div>
  );
}

const FoldedAnswer = ({ children }: { children: ReactNode }) => <Folded as="dd">{children}</Folded>;

const shownLines = 6;

/** Text that shows six lines, and a button for the rest. */
function Folded({ children, as: Element = 'p' }: { children: ReactNode; as?: 'p' | 'dd' }) {
  const text = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const element = text.current;
    if (!element) return;
    const measure = () => {
      const height = Number.parseFloat(getComputedStyle(element).lineHeight);
      setHidden(Math.max(0, Math.round(element.scrollHeight / height) - shownLines));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [children]);
  const isWhole = open || hidden === 0;
  return (
    <Element className="prose">
      <Text component="span" ref={text} inherit {...(isWhole ? { display: 'block' } : { lineClamp: shownLines })}>
        {children}
      </Text>
      {hidden > 0 && (
        <button type="button" className="link-button small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : hidden === 1 ? 'Show the other line' : `Show the other ${hidden} lines`}
        </button>
      )}
    </Element>
  );
}
