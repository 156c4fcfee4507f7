import Fastify from 'fastify';
import pg from 'pg';

/** A service as its libraries are by default: no time limits, and a pool that nobody listens to. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? '', max: 5 });
const app = Fastify();
app.get('/healthz', () => ({ status: 'ok' }));
app.get('/api/v1/jobs', async () => (await pool.query('select id from jobs limit 5')).rows);
app.post('/api/v1/jobs', async () => (await pool.query('select 1')).rows);
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
