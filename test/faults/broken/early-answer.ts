import { serveBroken } from './serve.ts';

/** Answers that a job is created before it is committed. */
await serveBroken({
  context(context) {
    const { admit } = context;
    context.admit = async (kind, draft) => {
      setTimeout(() => void admit(kind, draft).catch(() => {}), 100);
      return { outcome: 'admitted' };
    };
  },
});
