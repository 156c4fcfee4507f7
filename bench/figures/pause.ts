import { type Round, type Row, toRow } from '../figure.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';
import { hostileText } from '../../test/support/hostile-texts.ts';

const operator = { OPERATOR_EMAIL: 'bench@bench.localhost', OPERATOR_PASSWORD: 'correct horse battery' };

/** B20: the longest that anybody waits while an owner checks documents that are slow to read. */
export const pause = ({ rounds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const token = await signIn(service);
    const rows: Row[] = [];
    for (const [name, characters] of [
      ['keys of a map', 89_000],
      ['keys of a map', 400_000],
      ['braces as keys', 1_400],
      ['wrong escapes', 400_000],
    ] as const) {
      const title = `longest pause while ${name} are read, ${characters.toLocaleString('en')} characters`;
      const body = JSON.stringify({ documents: [{ file: 'families.yaml', text: hostileText(name, characters) }] });
      const measured: Round[] = [];
      for (let n = 0; n < rounds; n++) measured.push(await longestPause(service, token, body));
      rows.push(
        toRow(
          { figure: 'B20', title, of: 'the answer to its sender', goal: 2, unit: 'ms', lessIsBetter: true },
          measured,
        ),
      );
    }
    return rows;
  }, operator);

async function signIn({ origin }: Service): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: operator.OPERATOR_EMAIL, password: operator.OPERATOR_PASSWORD }),
  });
  const { token } = (await answer.json()) as { token: string };
  return token;
}

/** The longest answer of `/healthz`, which needs only a turn of the event loop, against that of the check. */
async function longestPause({ origin }: Service, token: string, body: string): Promise<Round> {
  const check = async () => {
    const began = performance.now();
    const answer = await fetch(`${origin}/api/operator/v1/catalog-versions/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
    });
    await answer.bytes();
    if (answer.status !== 200 && answer.status !== 503)
      throw new Error(`B20: the check was answered ${answer.status}.`);
    return performance.now() - began;
  };
  let limit: number | null = null;
  const checking = check().then((took) => (limit = took));
  let ours = 0;
  while (limit === null) {
    const began = performance.now();
    await (await fetch(`${origin}/healthz`)).bytes();
    ours = Math.max(ours, performance.now() - began);
  }
  return { ours, limit: await checking };
}
