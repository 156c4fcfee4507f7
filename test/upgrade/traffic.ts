import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Atelier } from '../../client/atelier.ts';
import { draft } from '../support/jobs.ts';

/** Orders and reads, as a script does with the client, at the processes that a balancer would choose. */
export function sendOrders(key: string, first: string) {
  const serving = [first];
  const failures: string[] = [];
  const acknowledged: string[] = [];
  let going = true;
  const client = async (n: number) => {
    for (let turn = n; going; turn++) {
      const title = `Job ${randomUUID()}`;
      try {
        const atelier = new Atelier({ url: serving[turn % serving.length]!, token: key });
        const { job } = await atelier.createJob({ body: { ...draft, customer_title: title } });
        acknowledged.push(title);
        await atelier.readJob({ path: { id: job.id } });
      } catch (error) {
        failures.push(String(error));
      }
      await wait(20);
    }
  };
  const clients = Promise.all([0, 1, 2, 3].map(client));
  return {
    serving,
    acknowledged,
    /** Both serve for a while, then only `url`. */
    async moveTo(url: string): Promise<void> {
      if (!serving.includes(url)) serving.push(url);
      await wait(1_500);
      serving.splice(0, serving.length, url);
      await wait(500);
    },
    async end() {
      going = false;
      await clients;
      return { failures, acknowledged };
    },
  };
}
