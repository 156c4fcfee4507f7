import { hashPassword as hash, verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';
import { refuseLateWork } from '../http/work.ts';

const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** Leaves a thread to other work of Node's pool, such as signing the session that a password has opened. */
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
