FROM node:24-slim AS build
WORKDIR /atelier
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm run prune

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /atelier
COPY --from=build /atelier/package.json /atelier/CHANGELOG.md /atelier/LICENSE ./
COPY --from=build /atelier/node_modules node_modules
COPY --from=build /atelier/dist dist
COPY --from=build /atelier/web/dist web/dist
COPY --from=build /atelier/web/build/fingerprint.ts web/build/
COPY --from=build /atelier/deploy/serve.js /atelier/deploy/admin.js deploy/
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
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "deploy/serve.js"]
