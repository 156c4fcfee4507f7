import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Role } from './entitlements.ts';
import { Closed, Email, Id, IdParams, Name, Timestamp } from './shapes.ts';

const Password = (minLength: number) => Type.String({ minLength, maxLength: 128, examples: ['correct horse battery'] });
const MailToken = Type.String({ minLength: 1, maxLength: 200, examples: ['XkV0c2hTQ1p4b2RzYWdlZQ'] });

const User = Closed(
  { id: Id('user'), name: Type.String(), email: Type.String(), email_verified: Type.Boolean() },
  { $id: 'User' },
);
const AccountRole = Closed(
  {
    id: Id('acct'),
    name: Type.String(),
    role: Role,
    active: Type.Boolean({ description: 'Whether this session acts for it.' }),
  },
  { $id: 'AccountRole', description: 'An account that the user belongs to.' },
);
export const Member = Closed(
  {
    id: Id('mem'),
    user: Closed({ id: Id('user'), name: Type.String(), email: Type.String() }),
    role: Role,
    created_at: Timestamp('When the user joined.'),
  },
  { $id: 'Member' },
);
const Invitation = Closed(
  {
    id: Id('inv'),
    email: Type.String(),
    role: Role,
    status: Type.Enum(['pending', 'accepted', 'rejected', 'canceled', 'expired'], { type: 'string' }),
    expires_at: Timestamp('When it can no longer be accepted.'),
  },
  { $id: 'Invitation' },
);

const Session = Closed({
  token: Type.String({
    description: 'Send it as `Authorization: Bearer`. The headers carry it too, once as a cookie.',
  }),
  user: User,
});
const sessionHeaders = {
  'set-auth-token': 'The session token.',
  'Set-Cookie': 'The session cookie: HttpOnly, SameSite=Lax.',
};
const Done = Closed({ done: Type.Literal(true) });

const people = { tag: 'People', auth: 'public' } as const;
const members = { tag: 'People', auth: 'manager' } as const;

export const signUp = endpoint({
  ...people,
  operationId: 'signUp',
  method: 'POST',
  path: '/api/auth/sign-up/email',
  summary: 'Sign up',
  description:
    'Makes a user, an account owned by that user, and a session; a mail to verify the address is on its way. A browser on another origin is refused.',
  body: Closed({ name: Name('Ada Lovelace'), email: Email, password: Password(10) }),
  rate: 'sign_up',
  answers: { 200: { description: 'Signed up and in.', schema: Session, headers: sessionHeaders } },
  errors: { 403: ['csrf_token_invalid'], 422: ['invalid_request'] },
});

export const signIn = endpoint({
  ...people,
  operationId: 'signIn',
  method: 'POST',
  path: '/api/auth/sign-in/email',
  summary: 'Sign in',
  description: 'The session lasts 30 days. A browser on another origin is refused.',
  body: Closed({ email: Email, password: Password(1) }),
  rate: 'sign_in',
  answers: { 200: { description: 'Signed in.', schema: Session, headers: sessionHeaders } },
  errors: { 401: ['unauthenticated'], 403: ['csrf_token_invalid'], 422: ['invalid_request'] },
});

export const signOut = endpoint({
  operationId: 'signOut',
  method: 'POST',
  path: '/api/auth/sign-out',
  tag: 'People',
  auth: 'person',
  summary: 'Sign out',
  description: 'Ends the session in every process at once, as cookie and as bearer.',
  answers: { 200: { description: 'Signed out.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const requestPasswordReset = endpoint({
  ...people,
  operationId: 'requestPasswordReset',
  method: 'POST',
  path: '/api/auth/request-password-reset',
  summary: 'Request for a password reset by e-mail',
  description: 'Answers the same whether or not the address is known.',
  body: Closed({ email: Email }),
  rate: 'send_mail',
  answers: { 200: { description: 'If the address is known, a mail is on its way.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const resetPassword = endpoint({
  ...people,
  operationId: 'resetPassword',
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with the token of the mail',
  description: 'The token works once, for an hour. All sessions of the user end.',
  body: Closed({ token: MailToken, new_password: Password(10) }),
  answers: { 200: { description: 'The password is changed.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const sendVerificationEmail = endpoint({
  operationId: 'sendVerificationEmail',
  method: 'POST',
  path: '/api/auth/send-verification-email',
  tag: 'People',
  auth: 'person',
  summary: 'Send the mail that verifies your address',
  rate: 'send_mail',
  answers: { 200: { description: 'A mail is on its way, unless the address is verified already.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const verifyEmail = endpoint({
  ...people,
  operationId: 'verifyEmail',
  method: 'GET',
  path: '/api/auth/verify-email',
  summary: 'Verify an address with the token of the mail',
  description: 'The link of the mail leads to a page that does the same. It works for an hour and opens no session.',
  query: Closed({ token: Type.String({ minLength: 1, maxLength: 2000 }) }),
  answers: { 200: { description: 'The address is verified.', schema: Done } },
  errors: { 400: ['invalid_request'] },
});

export const listMyAccounts = endpoint({
  operationId: 'listMyAccounts',
  method: 'GET',
  path: '/api/auth/accounts',
  tag: 'People',
  auth: 'person',
  summary: 'List the accounts that you belong to',
  answers: { 200: { description: 'Oldest membership first.', schema: Closed({ accounts: Type.Array(AccountRole) }) } },
  errors: {},
});

export const switchAccount = endpoint({
  operationId: 'switchAccount',
  method: 'POST',
  path: '/api/auth/accounts/{id}/switch',
  tag: 'People',
  auth: 'person',
  summary: 'Let this session act for another of your accounts',
  params: IdParams('acct'),
  answers: { 200: { description: 'The session now acts for it.', schema: Closed({ account: AccountRole }) } },
  errors: { 404: ['not_found'], 422: ['invalid_request'] },
});

export const listMembers = endpoint({
  operationId: 'listMembers',
  method: 'GET',
  path: '/api/auth/members',
  tag: 'People',
  auth: 'caller',
  summary: 'List the members of the account',
  answers: { 200: { description: 'Oldest first.', schema: Closed({ members: Type.Array(Member) }) } },
  errors: {},
});

export const changeMemberRole = endpoint({
  ...members,
  operationId: 'changeMemberRole',
  method: 'POST',
  path: '/api/auth/members/{id}/role',
  summary: 'Change the role of a member',
  description: 'Only an owner makes or unmakes owners, and the last owner stays one.',
  params: IdParams('mem'),
  body: Closed({ role: Role }, { examples: [{ role: 'admin' }] }),
  answers: { 200: { description: 'The member.', schema: Closed({ member: Member }) } },
  errors: { 403: ['role_required'], 404: ['not_found'], 422: ['invalid_request'] },
});

export const removeMember = endpoint({
  ...members,
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/api/auth/members/{id}',
  summary: 'Remove a member from the account',
  description: 'Their sessions stop acting for the account at once.',
  params: IdParams('mem'),
  answers: { 200: { description: 'Removed.', schema: Closed({ member: Member }) } },
  errors: { 403: ['role_required'], 404: ['not_found'], 422: ['invalid_request'] },
});

export const inviteMember = endpoint({
  ...members,
  operationId: 'inviteMember',
  method: 'POST',
  path: '/api/auth/invitations',
  summary: 'Invite someone by e-mail',
  description:
    'Kept for 48 hours; inviting an address again replaces its invitation. Accepting needs a session whose address is the invited one and verified.',
  body: Closed({ email: Email, role: Type.Enum(['admin', 'member'], { type: 'string' }) }),
  rate: 'send_mail',
  answers: { 201: { description: 'Invited; a mail is on its way.', schema: Closed({ invitation: Invitation }) } },
  errors: { 422: ['invalid_request'] },
});

export const listInvitations = endpoint({
  ...members,
  operationId: 'listInvitations',
  method: 'GET',
  path: '/api/auth/invitations',
  summary: 'List the invitations of the account',
  answers: { 200: { description: 'Newest first.', schema: Closed({ invitations: Type.Array(Invitation) }) } },
  errors: {},
});

export const cancelInvitation = endpoint({
  ...members,
  operationId: 'cancelInvitation',
  method: 'DELETE',
  path: '/api/auth/invitations/{id}',
  summary: 'Cancel an invitation',
  params: IdParams('inv'),
  answers: { 200: { description: 'Canceled.', schema: Closed({ invitation: Invitation }) } },
  errors: { 404: ['not_found'], 422: ['invalid_request'] },
});

export const acceptInvitation = endpoint({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/api/auth/invitations/{id}/accept',
  tag: 'People',
  auth: 'person',
  summary: 'Accept an invitation',
  description: 'The session acts for the joined account from then on.',
  params: IdParams('inv'),
  answers: { 200: { description: 'Joined.', schema: Closed({ account: AccountRole }) } },
  errors: { 403: ['role_required'], 404: ['not_found'], 422: ['invalid_request'] },
});
