FROM node:24-slim AS build
WORKDIR /atelier
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm run prune

FROM node:24-slim AS service
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /atelier
COPY --from=build /atelier/package.json /atelier/CHANGELOG.md /atelier/LICENSE ./
COPY --from=build /atelier/node_modules node_modules
COPY --from=build /atelier/dist dist
COPY --from=build /atelier/web/dist web/dist
COPY --from=build /atelier/web/build/fingerprint.ts web/build/
COPY --from=build /atelier/deploy/serve.js /atelier/deploy/admin.js /atelier/deploy/healthcheck.js deploy/
COPY --from=build /atelier/migrations migrations
COPY --from=build /atelier/catalog catalog
COPY --from=build /atelier/client/skills client/skills
COPY --from=build /atelier/docs/guide docs/guide
# The only folder that is written to, but for /tmp: files, unless STORAGE_URL names a bucket.
RUN install -d -o node -g node -m 700 /data
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# Lost in images of the OCI format, so compose.yaml repeats it.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 CMD ["node", "deploy/healthcheck.js"]
CMD ["node", "--max-semi-space-size=8", "deploy/serve.js"]

# For backup, restore, doctor and storage: the same programs beside those of Postgres, of compose.yaml's version.
FROM postgres:18.6 AS backup
ENV NODE_ENV=production DATA_DIR=/data TMPDIR=/backups
WORKDIR /atelier
COPY --from=service /usr/local/bin/node /usr/local/bin/
COPY --from=service /atelier ./
COPY deploy/daily.js deploy/
# The user of the service, who may read its files.
RUN install -d -o 1000 -g 1000 -m 700 /backups /data
VOLUME /backups /data
USER 1000:1000
STOPSIGNAL SIGTERM
ENTRYPOINT []
CMD ["node", "deploy/daily.js", "/backups"]

# What `docker build .` makes.
FROM service
