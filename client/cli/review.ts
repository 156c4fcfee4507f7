import { argument, type Command, UsageError } from './command.ts';
import { readComment } from './comments.ts';
import { done, yes } from './jobs.ts';
import { connect } from './profile.ts';
import { confirm } from './terminal.ts';
import { howToFollow } from './watch.ts';

export const approve: Command = {
  name: 'approve',
  args: '<job>',
  summary: 'approve delivered work; the job is completed',
  options: { yes },
  examples: ['atelier approve job_01… --yes'],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id') };
    const atelier = await connect(input.connection);
    const { job: seen } = await atelier.readJob({ path });
    await confirm(io, 'Approve the work? The job ends.', input.flag('yes'));
    const { job, next_action } = await atelier.approveDelivery(seen);
    done(io, input, job, next_action);
  },
};

export const revise: Command = {
  name: 'revise',
  args: '<job> [text]',
  summary: 'ask for changes to delivered work, and send all comments of the round; uses a round of revision',
  options: {
    comment: {
      value: 'FILE#PLACE: TEXT',
      multiple: true,
      description: 'comment on a delivered file, by its name or id; #PLACE may be left out; repeat for more',
    },
    yes,
  },
  examples: [
    'atelier revise job_01… "A darker green, please" --yes',
    'atelier revise job_01… --comment "logo.png#xywh=percent:40,25,0,0: Rounder here" --comment "text.md#line=9,10: A typo"',
  ],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id') };
    const customer_instructions = input.args[1];
    const atelier = await connect(input.connection);
    const { job: seen } = await atelier.readJob({ path });
    const comments = input.texts('comment').map((text) => readComment(text, seen));
    if (customer_instructions === undefined && comments.length === 0) {
      const query = { round: seen.revisions.used, limit: 1 };
      const open = await atelier.listComments({ path, query });
      if (open.comments.length === 0) throw new UsageError('The text of the change is missing.', 'Add it, or a --comment.');
    }
    await confirm(io, 'Ask for these changes? It uses a round of revision.', input.flag('yes'));
    const { job, next_action } = await atelier.requestChanges(seen, {
      ...(customer_instructions === undefined ? {} : { customer_instructions }),
      ...(comments.length > 0 ? { comments } : {}),
    });
    done(io, input, job, input.json ? next_action : howToFollow(job.id));
  },
};
