import { Box, Button, Flex, NumberInput, Switch, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CreateReviewLinkResponse, type ReviewLink, useOperation } from '../../app/api.ts';
import { read } from '../../app/reads.ts';
import { useRead } from '../../app/use-reads.ts';
import { Dialog, DialogButtons, FormDialog } from '../../ui/dialog/dialog.tsx';
import { KeyOnce } from '../../ui/dialog/key-once.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { Failure, Loaded } from '../../ui/page/page.tsx';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import { Time } from '../../ui/time/time.tsx';

type Props = { jobId: string; onClose: () => void };

/** Links to this job's deliveries, for people without an account. */
export function ReviewLinks({ jobId, onClose }: Props) {
  const [created, setCreated] = useState<CreateReviewLinkResponse | null>(null);
  const [revoking, setRevoking] = useState<ReviewLink | null>(null);
  if (created)
    return (
      <KeyOnce
        title={`Link for ${created.review_link.name}`}
        secret={created.url}
        shown={(url) => url.indexOf('#') + 1}
        why="Shown once. Whoever has the link can open it: pass it on with care."
        ifLost="Revoke it and create another one."
        onClose={() => setCreated(null)}
      />
    );
  if (revoking) return <RevokeCommented link={revoking} onClose={() => setRevoking(null)} />;
  return <LinksDialog jobId={jobId} onClose={onClose} onCreated={setCreated} onCommented={setRevoking} />;
}

function Links({ links, onCommented }: { links: ReviewLink[]; onCommented: (link: ReviewLink) => void }) {
  const revoke = useOperation('revokeReviewLink');
  const { waiting, later, undo } = useLater((link: ReviewLink) => revoke.mutate(requestFor(link)));
  const live = links.filter(({ status }) => status === 'active');
  if (live.length === 0) return null;
  return (
    <>
      <ul>
        {live.map((link) => (
          <Flex
            component="li"
            key={link.id}
            className="line-below"
            align="center"
            justify="space-between"
            gap={12}
            py={8}
          >
            <span>
              <Box component="strong" className="breaks" fw={500}>
                {link.name}
              </Box>
              <Box className="small second">
                {link.can_comment ? 'may comment' : 'may only look'} · until <Time at={link.expires_at} as="day" /> ·{' '}
                {link.opened_at ? 'opened ' : 'not opened yet'}
                {link.opened_at && <Time at={link.opened_at} />}
              </Box>
            </span>
            {waiting.includes(link.id) ? (
              <span className="row" role="status">
                <span className="small second">Ends in {undoSeconds} s</span>
                <Button variant="default" size="xs" aria-label={`Keep ${link.name}`} onClick={() => undo(link.id)}>
                  Undo
                </Button>
              </span>
            ) : (
              <Button
                variant="subtle"
                color="bad"
                size="xs"
                aria-label={`Revoke ${link.name}`}
                onClick={() => (link.unsent_comment_count > 0 ? onCommented(link) : later(link))}
              >
                Revoke
              </Button>
            )}
          </Flex>
        ))}
      </ul>
      {revoke.error && <Failure error={revoke.error} />}
    </>
  );
}

const undoSeconds = 8;

/** Runs after some seconds, or at once when the dialog is closed. */
function useLater(run: (link: ReviewLink) => void) {
  const [waiting, setWaiting] = useState<string[]>([]);
  const timers = useRef(new Map<string, { link: ReviewLink; timer: ReturnType<typeof setTimeout> }>());
  useWarningOnLeave(waiting.length > 0);
  const undo = (id: string) => {
    clearTimeout(timers.current.get(id)?.timer);
    timers.current.delete(id);
    setWaiting((ids) => ids.filter((each) => each !== id));
  };
  const end = (link: ReviewLink) => (undo(link.id), run(link));
  const endAll = useEffectEvent(() => [...timers.current.values()].forEach(({ link }) => end(link)));
  useEffect(() => () => endAll(), []);
  const later = (link: ReviewLink) => {
    timers.current.set(link.id, { link, timer: setTimeout(() => end(link), undoSeconds * 1_000) });
    setWaiting((ids) => [...ids, link.id]);
  };
  return { waiting, later, undo };
}

/** Without its comments it needs no body, which a process of the version before would refuse. */
const requestFor = ({ job_id, id }: ReviewLink, withComments = false) => ({
  path: { id: job_id, review_link_id: id },
  ...(withComments ? { body: { delete_comments: true } } : {}),
});

/** What guests wrote and nobody sent would go to the studio with the next request for changes. */
function RevokeCommented({ link, onClose }: { link: ReviewLink; onClose: () => void }) {
  const revoke = useOperation('revokeReviewLink');
  const run = (withComments: boolean) => revoke.mutate(requestFor(link, withComments), { onSuccess: onClose });
  const comments = link.unsent_comment_count === 1 ? 'its comment' : `its ${link.unsent_comment_count} comments`;
  return (
    <Dialog opened onClose={onClose} title={`Revoke the link for ${link.name}?`}>
      <div className="stack">
        <p className="second">
          It stops working at once. If you keep {comments}, the studio gets{' '}
          {link.unsent_comment_count === 1 ? 'it' : 'them'} with your next request for changes.
        </p>
        {revoke.error && <Failure error={revoke.error} />}
        <DialogButtons onBack={onClose} focusBack loading={revoke.isPending} onClick={() => run(false)}>
          Revoke
        </DialogButtons>
        <Button variant="subtle" color="bad" disabled={revoke.isPending} onClick={() => run(true)}>
          Revoke and delete {comments}
        </Button>
      </div>
    </Dialog>
  );
}

type DialogProps = Props & {
  onCreated: (created: CreateReviewLinkResponse) => void;
  onCommented: (link: ReviewLink) => void;
};

/** The links there are, and the form for another. */
function LinksDialog({ jobId, onClose, onCreated, onCommented }: DialogProps) {
  const links = useRead(read('listReviewLinks', { path: { id: jobId } }));
  const create = useOperation('createReviewLink');
  const [name, setName] = useState('');
  const [canComment, setCanComment] = useState(true);
  const [days, setDays] = useState(14);
  const key = useMoveKey(`${name.trim()}-${canComment}-${days}`);
  const body = { name: name.trim(), can_comment: canComment, expires_in_days: days };
  return (
    <FormDialog
      onClose={onClose}
      title="Links for people without an account"
      size={560}
      submit="Create a link"
      onSubmit={() => create.mutate({ path: { id: jobId }, body, idempotencyKey: key }, { onSuccess: onCreated })}
      action={create}
      fields={['name']}
      disabled={name.trim() === ''}
    >
      <p className="second">
        A link shows the delivered files of this job, those delivered later too. It shows nothing else: no messages, no
        brief, no other job.
      </p>
      <Loaded query={links} height={80}>
        {({ review_links: all }) => <Links links={all} onCommented={onCommented} />}
      </Loaded>
      <TextInput
        label="For whom?"
        description="Only your account sees this name."
        placeholder="Sign maker"
        required
        maxLength={80}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={fieldError(create.error, 'name')}
        data-autofocus
      />
      <Switch
        label="May comment, under a name of their own"
        checked={canComment}
        onChange={({ currentTarget }) => setCanComment(currentTarget.checked)}
      />
      <NumberInput
        label="Days until it ends"
        min={1}
        max={30}
        clampBehavior="strict"
        allowDecimal={false}
        value={days}
        onChange={(value) => setDays(Number(value) || 1)}
        w={140}
      />
    </FormDialog>
  );
}
