import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { chosenJobs } from '../files/library.ts';
import { Closed, Id, IdParams, Name, NextAction, NextCursor, page, ShownOnce } from '../shapes.ts';
import { linkDays, ReviewLink } from './review-links.ts';

export const maxLiveShowLinks = 50;
export const maxShownJobs = 50;

const { id, status, created_by, created_at, expires_at, opened_at, revoked_at } = ReviewLink.properties;

export const ShowLink = Closed(
  {
    id,
    job_ids: Type.Array(Id('job'), { description: 'The completed jobs whose last delivery it shows.' }),
    name: Type.String({ description: 'For whom or what it was made. Guests do not see it.' }),
    status,
    created_by,
    created_at,
    expires_at,
    opened_at,
    revoked_at,
  },
  { $id: 'ShowLink', description: 'A link to finished work, for somebody without an account.' },
);

const tag = 'Library';
const path = '/api/v1/show-links';
const OneLink = Closed({ show_link: ShowLink });

export const listShowLinks = endpoint({
  operationId: 'listShowLinks',
  method: 'GET',
  path,
  tag,
  summary: 'List the links to finished work',
  auth: 'caller',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first, also ended ones.',
      schema: Closed({ show_links: Type.Array(ShowLink), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const createShowLink = endpoint({
  operationId: 'createShowLink',
  method: 'POST',
  path,
  tag,
  summary: 'Create a link to finished work',
  description: `A guest with the link sees the files of the last delivery of each chosen job, and nothing else: no earlier delivery, comment, message or brief. A link shows at most ${maxShownJobs} jobs: filters that leave more are 403 \`limit_reached\`, more \`job_ids\` 422 \`invalid_request\`. An account can have ${maxLiveShowLinks} live links. A link ends when it is revoked or expires, or with the rights of its creator.`,
  auth: 'caller',
  rate: 'create_review_link',
  idempotent: 422,
  body: Closed({ name: Name('Our printer'), expires_in_days: linkDays, ...chosenJobs(maxShownJobs) }),
  location: path,
  answers: {
    201: {
      description: 'The link. Its token is shown once.',
      schema: Closed({
        show_link: ShowLink,
        token: ShownOnce('What a guest sends as `Authorization: Review <token>`.'),
        url: ShownOnce('The page to send to guests. The token is in its fragment.'),
        next_action: NextAction,
      }),
    },
  },
  errors: { 403: ['limit_reached'], 404: ['job_not_found'], 422: ['invalid_request'] },
});

export const revokeShowLink = endpoint({
  operationId: 'revokeShowLink',
  method: 'POST',
  path: `${path}/{id}/revoke`,
  tag,
  summary: 'Revoke a link to finished work',
  description: 'It stops working at once. Download URLs made before work until they expire.',
  auth: 'caller',
  whileSuspended: true,
  idempotent: 'by_nature',
  params: IdParams('rvl'),
  answers: { 200: { description: 'The revoked link.', schema: OneLink } },
  errors: { 404: ['review_link_not_found'] },
});
