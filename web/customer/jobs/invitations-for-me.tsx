import type { Read } from '../../app/reads.ts';
import { useRead } from '../../app/use-reads.ts';
import { Panel } from '../../ui/page/page.tsx';
import { roleWords } from '../../ui/job/words.ts';
import { AnswerInvitation } from '../entry/answer-invitation.tsx';

export function InvitationsForMe({ read }: { read: Read<'listMyInvitations'> }) {
  const { data } = useRead(read);
  return data?.invitations.map(({ id, created_by: { name: inviter }, account_name: account, role }) => (
    <Panel key={id} title={`${inviter} invites you to ${account}`}>
      <div className="row between">
        <span>
          You join as {roleWords[role].toLowerCase()}. Your own account stays; you can switch between both at its name.
        </span>
        <AnswerInvitation id={id} inline />
      </div>
    </Panel>
  ));
}
