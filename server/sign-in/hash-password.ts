import { hashPassword as hash, verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';
import { refuseLateWork } from '../http/work.ts';

const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** Leaves one thread of Node's pool for other work, such as signing sessions. */
const limitConcurrency = pLimit(Math.max(1, threads - 1));

export const hashPassword = (password: string): Promise<string> =>
  limitConcurrency(() => {
    refuseLateWork();
    return hash(password);
  });

export const isPassword = (attempt: { password: string; hash: string }): Promise<boolean> =>
  limitConcurrency(() => {
    refuseLateWork();
    return verifyPassword(attempt);
  });
