import { Box, Button, Flex } from '@mantine/core';
import { type Member, useOperation } from '../../app/api.ts';
import { read } from '../../app/reads.ts';
import { useSession } from '../../app/session/session.tsx';
import { useRead } from '../../app/use-reads.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { Failure, Loaded } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';

type Props = { jobId: string; onClose: () => void };

/** Colleagues who can be asked to look at the delivery. */
export function AskToLook({ jobId, onClose }: Props) {
  const members = useRead(read('listMembers', {}));
  const { user } = useSession();
  return (
    <Dialog opened onClose={onClose} title="Ask a colleague to look">
      <div className="stack">
        <p className="second">
          They are told here and, if they want that, by mail, with the way to this review. The studio does not read it.
        </p>
        <Loaded query={members} height={80}>
          {({ members: all }) => <Colleagues members={all.filter((each) => each.user.id !== user.id)} jobId={jobId} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

const Colleagues = ({ members, jobId }: { members: Member[]; jobId: string }) =>
  members.length === 0 ? (
    <p>Nobody else belongs to your account. A link shows the work to somebody without one.</p>
  ) : (
    <ul>
      {members.map((member) => (
        <Colleague key={member.id} member={member} jobId={jobId} />
      ))}
    </ul>
  );

function Colleague({ member: { user }, jobId }: { member: Member; jobId: string }) {
  const ask = useOperation('askToLook');
  const key = useMoveKey(user.id);
  return (
    <Flex component="li" className="line-below" align="center" justify="space-between" gap={12} py={8} wrap="wrap">
      <Box miw={0}>
        <bdi className="breaks">{user.name}</bdi>
        <Box className="small second breaks">{user.email}</Box>
      </Box>
      {ask.data ? (
        <span className="small second" role="status">
          Asked <Time at={ask.data.asked_at} />
        </span>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={ask.isPending}
          aria-label={`Ask ${user.name}`}
          onClick={() => ask.mutate({ path: { id: jobId }, body: { user_id: user.id }, idempotencyKey: key })}
        >
          Ask
        </Button>
      )}
      {ask.error && <Failure error={ask.error} />}
    </Flex>
  );
}
