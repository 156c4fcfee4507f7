import type { ReviewLink } from '../generated/types.gen.ts';
import { argument, type Command, type Input, UsageError } from './command.ts';
import { connect } from './profile.ts';
import { confirm, print, printJson, printMessage, printTable } from './terminal.ts';

const day = (time: string) => time.slice(0, 10);

const create: Command = {
  name: 'review-link create',
  args: '<job> <name>',
  summary: 'make a link to the deliveries of a job, for somebody without an account; prints its address',
  options: {
    comments: { description: 'let guests comment' },
    days: { value: 'N', description: 'days until it stops working, 1 to 30; default 14' },
  },
  examples: ['atelier review-link create job_01… Marketing', 'atelier review-link create job_01… "The board" --comments --days 3'],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id') };
    const name = argument(input, 1, 'name of the link');
    const days = input.text('days');
    const atelier = await connect(input.connection);
    const body = { name, can_comment: input.flag('comments'), ...(days === undefined ? {} : { expires_in_days: Number(days) }) };
    const made = await atelier.createReviewLink({ path, body });
    if (input.json) return printJson(io, made);
    print(io, made.url ?? '');
    printMessage(io, `It works until ${day(made.review_link.expires_at)} and is not shown again.`);
  },
};

const list: Command = {
  name: 'review-link list',
  args: '<job>',
  summary: 'list the review links of a job, newest first',
  examples: ['atelier review-link list job_01…', 'atelier review-link list job_01… --json'],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id') };
    const atelier = await connect(input.connection);
    const rows: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { limit: 100, ...(cursor ? { cursor } : {}) };
      const page: { review_links: ReviewLink[]; next_cursor: string | null } = await atelier.listReviewLinks({ path, query });
      for (const link of page.review_links)
        if (input.json) printJson(io, link);
        else rows.push([link.id, link.status, `until ${day(link.expires_at)}`, link.opened_at ? 'opened' : 'not opened', link.name]);
      cursor = page.next_cursor;
    }
    if (rows.length > 0) printTable(io, rows);
    else if (!input.json) printMessage(io, 'No review links.');
  },
};

const revoke: Command = {
  name: 'review-link revoke',
  args: '<job> <link>',
  summary: 'end a review link at once',
  options: {
    'delete-comments': { description: 'also delete its comments that were not sent to the studio' },
    yes: { description: 'do not ask' },
  },
  examples: ['atelier review-link revoke job_01… rvl_01… --yes'],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id'), review_link_id: argument(input, 1, 'id of the link') };
    const atelier = await connect(input.connection);
    const delete_comments = input.flag('delete-comments');
    await confirm(io, delete_comments ? 'End the link and delete its unsent comments?' : 'End the link?', input.flag('yes'));
    const { review_link } = await atelier.revokeReviewLink({ path, ...(delete_comments ? { body: { delete_comments } } : {}) });
    if (input.json) printJson(io, review_link);
    else print(io, review_link.status);
  },
};

const ways = [create, list, revoke];

export const reviewLink: Command = {
  name: 'review-link',
  args: '<command>',
  summary: 'share the deliveries of a job with somebody without an account: create, list or revoke a link',
  examples: ways.map(({ examples: [example = ''] }) => example),
  commands: () => ways,
  async run({ args: [word] }: Input) {
    throw new UsageError(word === undefined ? 'Name what to do: create, list or revoke.' : `There is no command review-link ${word}.`);
  },
};
