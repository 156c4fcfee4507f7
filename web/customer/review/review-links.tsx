import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { type CreateReviewLinkResponse, type ReviewLink, useOperation } from '../../app/api.ts';
import { read } from '../../app/reads.ts';
import { useRead } from '../../app/use-reads.ts';
import { Dialog, DialogButtons, FormDialog } from '../../ui/dialog/dialog.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { Failure, Loaded } from '../../ui/page/page.tsx';
import { LinkFields, LinkLines, LinkOnce, newLink } from '../links.tsx';

type Props = { jobId: string; onClose: () => void };

/** Links to this job's deliveries, for people without an account. */
export function ReviewLinks({ jobId, onClose }: Props) {
  const [created, setCreated] = useState<CreateReviewLinkResponse | null>(null);
  const [revoking, setRevoking] = useState<ReviewLink | null>(null);
  if (created) return <LinkOnce name={created.review_link.name} url={created.url} onClose={() => setCreated(null)} />;
  if (revoking) return <RevokeCommented link={revoking} onClose={() => setRevoking(null)} />;
  return <LinksDialog jobId={jobId} onClose={onClose} onCreated={setCreated} onCommented={setRevoking} />;
}

function Links({ links, onCommented }: { links: ReviewLink[]; onCommented: (link: ReviewLink) => void }) {
  const revoke = useOperation('revokeReviewLink');
  const live = links.filter(({ status }) => status === 'active');
  if (live.length === 0) return null;
  return (
    <>
      <LinkLines
        links={live}
        says={({ can_comment }) => (can_comment ? 'may comment' : 'may only look')}
        revoke={(link) => revoke.mutate(requestFor(link))}
        ask={(link) => (link.unsent_comment_count > 0 ? () => onCommented(link) : null)}
      />
      {revoke.error && <Failure error={revoke.error} />}
    </>
  );
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
  const [fields, setFields] = useState(newLink);
  const [canComment, setCanComment] = useState(true);
  const body = { name: fields.name.trim(), can_comment: canComment, expires_in_days: fields.days };
  const key = useMoveKey(JSON.stringify(body));
  return (
    <FormDialog
      onClose={onClose}
      title="Links for people without an account"
      size={560}
      submit="Create a link"
      onSubmit={() => create.mutate({ path: { id: jobId }, body, idempotencyKey: key }, { onSuccess: onCreated })}
      action={create}
      fields={['name']}
      disabled={body.name === ''}
    >
      <p className="second">
        A link shows the delivered files of this job, those delivered later too. It shows nothing else: no messages, no
        brief, no other job.
      </p>
      <Loaded query={links} height={80}>
        {({ review_links: all }) => <Links links={all} onCommented={onCommented} />}
      </Loaded>
      <LinkFields value={fields} onChange={setFields} placeholder="Sign maker" error={create.error}>
        <Switch
          label="May comment, under a name of their own"
          checked={canComment}
          onChange={({ currentTarget }) => setCanComment(currentTarget.checked)}
        />
      </LinkFields>
    </FormDialog>
  );
}
