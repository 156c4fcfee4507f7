#!/bin/sh
# The entrypoint of all stand-ins: does for Postgres what that of its image does, and starts the other programs.
set -eu
case ${1:-mail} in
mail) exec node /stand-in/mail.js ;;
redis-server) exec "$@" --protected-mode no ;;
postgres) ;;
*) exec "$@" ;;
esac
export PATH="/usr/lib/postgresql/18/bin:$PATH" PGDATA=/var/lib/postgresql/18/docker
install -d -o postgres -g postgres -m 700 /var/lib/postgresql/18 "$PGDATA"
install -d -o postgres -g postgres /var/run/postgresql
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  as_postgres initdb --auth-local=trust --auth-host=scram-sha-256 --username=postgres >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  as_postgres pg_ctl -w -o '-c listen_addresses=' start >/dev/null
  as_postgres psql -q -c "alter role postgres password '$POSTGRES_PASSWORD'"
  for file in /docker-entrypoint-initdb.d/*.sql; do as_postgres psql -q -v ON_ERROR_STOP=1 -f "$file"; done
  as_postgres pg_ctl -m fast -w stop >/dev/null
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups "$@" -c listen_addresses='*'
